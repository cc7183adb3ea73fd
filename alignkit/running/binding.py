"""Arguments bound to a run: read from what a user gives, and in the form that each kind of run takes.

Between the two, arguments map every parameter but the noise to its exact value, as a ``Domain`` admits it. Searches,
proofs and attacks pass that form around.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.noise import Noise
from alignkit.results import Witness
from alignkit.running.mechanism_program import MechanismProgram


def read_inputs(mechanism: MechanismProgram, given: Mapping[str, Any], *, of: str, hint: str = "") -> Witness:
    """The inputs on D and on D′ that arguments by name describe: ``q=…, q_=…`` for each private parameter.

    InputError says which is missing or wrong. ``of`` names what needs them; ``hint`` ends the message on a missing one.
    """
    named = dict(given)
    primed = {name: named.pop(f"{name}_", None) for name in mechanism.private}
    missing = [f"{name}_" for name, value in primed.items() if value is None]
    if missing:
        raise InputError(f"{of} needs {', '.join(f'{name}=…' for name in missing)}{hint}")
    for name, other in primed.items():
        one = named.get(name)
        if isinstance(one, Mapping) and isinstance(other, Mapping) and list(one) != list(other):
            raise InputError(f"{name} and {name}_ must have the same keys, in the same order")
    values = mechanism.read((), named)
    return Witness.of(mechanism, values, mechanism.domain.admit_on_other(values, primed))


def exactly(value: Any) -> Any:
    """Whole numbers as Fractions, through tuples: so that Python's division of them stays exact."""
    if isinstance(value, tuple):
        return tuple([x if type(x) is Fraction else exactly(x) for x in value])
    return Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value


def exact_arguments(mechanism: MechanismProgram, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an exact run: counts as ints, every other exact number as a Fraction."""
    kinds = mechanism.parameters
    return {name: v if kinds[name].integer else exactly(v) for name, v in values.items()}


def python_arguments(
    mechanism: MechanismProgram,
    values: Mapping[str, Any],
    noise: Noise,
    number: Callable[[str, Any], Any] = lambda name, value: value,
) -> dict[str, Any]:
    """The arguments of the user's own function: vectors as lists, each number as ``number(name, value)``."""
    arguments = {
        name: [number(name, x) for x in value] if isinstance(value, tuple) else number(name, value)
        for name, value in values.items()
    }
    return {**arguments, mechanism.noise_name: noise}
