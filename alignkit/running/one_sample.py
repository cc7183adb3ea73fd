"""Sampling: a run on fresh noise, public arithmetic exact."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from alignkit.errors import InputError, Undefined
from alignkit.noise import Bits, RandomNoise
from alignkit.running.domain import Admitted
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.sampling.python_sampler import PythonSampler
from alignkit.sampling.taped_noise import TapedNoise
from alignkit.sampling.value_shapes import Floats

if TYPE_CHECKING:
    import numpy as np

# The samplers of mechanisms, for as long as these exist.
_SAMPLERS: WeakKeyDictionary[MechanismProgram, PythonSampler] = WeakKeyDictionary()

# Every whole number up to here is a float.
_WHOLE = 2**53


def sample_output(mechanism: MechanismProgram, values: Admitted, seed: int | np.random.Generator | None) -> Any:
    """One run on fresh noise. Budgets and counters are Fractions and ints, answers plus noise are floats."""
    arguments = sample_arguments(mechanism, values)
    noise = RandomNoise(seed)
    before = noise.generator.bit_generator.state
    sampler = sampler_of(mechanism)
    with contextlib.suppress(Exception):  # the same run is made again by the evaluator, which says what is wrong
        return sampler.run(sampler.given(arguments), noise)
    noise.generator.bit_generator.state = before
    again = TapedNoise(noise.generator)
    with contextlib.suppress(Exception):
        sampler.run(sampler.given(arguments), again)
    again.rewound = True
    return evaluated(mechanism, arguments, again)


def sampler_of(mechanism: MechanismProgram) -> PythonSampler:
    """What runs a mechanism's program on floats."""
    if mechanism not in _SAMPLERS:
        _SAMPLERS[mechanism] = PythonSampler(mechanism.program, mechanism.noise_name)
    return _SAMPLERS[mechanism]


def evaluated(mechanism: MechanismProgram, arguments: Mapping[str, Any], noise: Any, where: str = "") -> Any:
    """The output of a run by the evaluator; InputError, with the line, where the run is not defined.

    ``where`` says which of several runs it is.
    """
    try:
        return sampler_of(mechanism).evaluated(arguments, noise)
    except Undefined as problem:
        words = f"{problem.problem}{where} (line {problem.place.line})"
        raise InputError(f"{mechanism.name} is not defined on these arguments: {words}") from problem


def sample_arguments(mechanism: MechanismProgram, values: Admitted) -> dict[str, Any]:
    """The arguments of the user's own function but the noise: public numbers are exact, and answers floats if possible.
    """
    arguments: dict[str, Any] = {}
    for name, value in values.items():
        kind = mechanism.parameters[name]
        lattice = mechanism.domain.lattice(name, values)
        if kind.private and lattice is not None and not _has_floats(lattice):
            arguments[name] = list(value) if isinstance(value, tuple) else value
        elif kind.private:
            arguments[name] = _light_answers(value) if isinstance(value, tuple) else light(value)
        elif isinstance(value, tuple):
            arguments[name] = [Fraction(x) for x in value]
        else:
            arguments[name] = value if kind.integer or isinstance(value, Bits) else Fraction(value)
    return arguments


def _has_floats(lattice: Fraction) -> bool:
    """Whether sums of small multiples of a lattice are exact as floats: else a tie, which counts, would be missed."""
    return lattice.denominator & (lattice.denominator - 1) == 0


def _light_answers(values: tuple[Any, ...]) -> list[Any]:
    try:
        # The root of the sum of the squares bounds every answer; half the limit leaves room for rounding.
        small = math.hypot(*values) < _WHOLE / 2
    except OverflowError:
        small = False
    return Floats(map(float, values)) if small else [light(x) for x in values]


def light(value: Any) -> Any:
    """An answer as a float where that changes nothing: noise is a float in any case."""
    if isinstance(value, int) and abs(value) <= _WHOLE:
        return float(value)
    if not isinstance(value, Fraction):
        return value
    try:
        return float(value)
    except OverflowError:
        return value
