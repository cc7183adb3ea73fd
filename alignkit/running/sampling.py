"""Sampling: the user's own function on fresh noise, public arithmetic exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.errors import AlignkitError, InputError
from alignkit.noise import Bits, RandomNoise
from alignkit.running.binding import python_arguments
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.replaying import UNDEFINED

if TYPE_CHECKING:
    import numpy as np


def sample_output(
    mechanism: MechanismProgram, values: Mapping[str, Any], seed: int | np.random.Generator | None
) -> Any:
    """One run on fresh noise. Budgets and counters are Fractions and ints, answers plus noise are floats."""
    arguments = {**sample_arguments(mechanism, values), mechanism.noise_name: RandomNoise(seed)}
    try:
        output = mechanism.exact(**arguments)
        return list(output) if mechanism.program.is_generator else output
    except AlignkitError:
        raise
    except UNDEFINED as problem:
        raise InputError(f"{mechanism.name} is not defined on these arguments: {problem}") from problem


def sample_arguments(mechanism: MechanismProgram, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a run on random noise, without the noise: private answers as floats where that is the same."""

    def number(name: str, value: Any) -> Any:
        kind = mechanism.parameters[name]
        if kind.private:
            return _light(value)
        return value if kind.integer or isinstance(value, Bits) else Fraction(value)

    arguments = python_arguments(mechanism, values, RandomNoise(0), number)
    del arguments[mechanism.noise_name]
    return arguments


def _light(value: Any) -> Any:
    """An answer as a float where that changes nothing: noise is a float in any case."""
    if isinstance(value, int) and abs(value) <= 2**53:
        return float(value)
    return float(value) if isinstance(value, Fraction) else value
