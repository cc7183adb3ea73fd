"""The release itself: public values first, then the private ones, then one run on exact noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, InternalError
from alignkit.language.parameters import Epsilon, Eta, Proportion
from alignkit.noise import Bits
from alignkit.noise.exact_sampling.drawing import ExactNoise
from alignkit.noise.exact_sampling.randomness import RandomBits, SecureBits
from alignkit.releasing.answers import ROUNDINGS, read_answers
from alignkit.releasing.numbers import plain, public
from alignkit.releasing.preparing import check_rounding, prepare
from alignkit.releasing.presumed import check_presumed
from alignkit.releasing.proofs import accepted
from alignkit.running.mechanism import Mechanism
from alignkit.running.replaying import UNDEFINED

OWN = ("proof", "rounding", "true_sensitivity")


def release(
    mechanism: Mechanism,
    answers: tuple[Any, ...],
    parameters: Mapping[str, Any],
    *,
    proof: Any,
    rounding: str = "refuse",
    true_sensitivity: Any = None,
) -> Any:
    """What ``Mechanism.release`` does; the randomness is the operating system's."""
    return run(mechanism, answers, parameters, proof, rounding, true_sensitivity, SecureBits())


def run(
    mechanism: Mechanism,
    answers: tuple[Any, ...],
    parameters: Mapping[str, Any],
    proof: Any,
    rounding: str,
    true_sensitivity: Any,
    source: RandomBits,
) -> Any:
    """A release on given random bits: for tests, whose bits come from a seed."""
    taken = [name for name in OWN if name in mechanism.parameters]
    if taken:
        raise InputError(f"{mechanism.name} has a parameter `{taken[0]}`, which .release takes for itself; rename it")
    if rounding not in ROUNDINGS:
        raise InputError(f"rounding must be one of {', '.join(ROUNDINGS)}, not {rounding!r}")
    if true_sensitivity is not None and rounding == "refuse":
        raise InputError('true_sensitivity is for rounding="nearest"; without rounding the declared one counts')
    result = accepted(mechanism, proof)
    given = mechanism.given(answers, parameters)
    values = mechanism.read_public(given)
    exact = mechanism.exact_at_once
    prepare(mechanism, values)

    def sizes() -> dict[str, int]:
        return _sizes(mechanism, given)

    check_presumed(mechanism, result, values, sizes)
    if rounding == "nearest":
        check_rounding(mechanism, values, result.adjacency, true_sensitivity, sizes)
    arguments = {name: _public_argument(value, mechanism.parameters[name]) for name, value in values.items()}
    # From here on private values are read.
    for name, kind in mechanism.private.items():
        lattice = mechanism.lattice(name, values)
        arguments[name] = read_answers(given[name], name, vector=kind.vector, lattice=lattice, rounding=rounding)
    arguments[mechanism.noise_name] = ExactNoise(source)
    return _run(mechanism, exact, arguments)


def _run(mechanism: Mechanism, exact: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        output = exact(**arguments)
        return plain(list(output) if mechanism.program.is_generator else output)
    except InternalError:
        raise
    except (*UNDEFINED, TypeError) as problem:
        # Without the problem's own words, which may show private values.
        kind = type(problem).__name__
    raise InputError(f"{mechanism.name} is not defined on these arguments ({kind})")


def _sizes(mechanism: Mechanism, given: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of private answers, which are public."""
    try:
        return {name: len(given[name]) if kind.vector else 1 for name, kind in mechanism.private.items()}
    except TypeError:
        raise InputError("give private answers as lists, so that their number is known") from None


def _public_argument(value: Any, kind: Any) -> Any:
    """A public value as the run takes it: whole numbers as ints, others as numbers that remember.

    A privacy budget remembers always: noise is drawn with quotients of it.
    """
    if isinstance(value, tuple):
        return [_public_argument(x, None) for x in value]
    if isinstance(value, int) and not isinstance(kind, Epsilon | Eta | Proportion):
        return value
    return public(value if isinstance(value, Bits) else Fraction(value))
