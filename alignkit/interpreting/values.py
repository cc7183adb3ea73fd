"""What the evaluator computes with, beyond Python's own numbers, Booleans, tags and tuples.

A symbolic number or condition is any object that offers Python's arithmetic (or ``& | ~``), ``compare`` and
``choose``; the evaluator asks for nothing else, so that it need not know the prover.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.language.program import Break, LimitForm
from alignkit.noise import Bits

CONCRETE_NUMBERS = (int, Fraction, float, Bits)
PLAIN = frozenset(CONCRETE_NUMBERS)  # tested first, since ``isinstance(term, Fraction)`` is slow

Environment = dict[str, Any]
"""Names and what they stand for, while a function is evaluated."""

WholeNumbers = range
"""The numbers that ``range(…)`` counts through, by a name that the method ``range`` of a context does not hide."""

# Any value, where a symbolic run goes on without one.
UNREACHED = 0


@dataclass(frozen=True)
class Coordinate:
    """One noise coordinate: the draw's key (call path and place in the source) and its iteration vector."""

    key: str
    index: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.key + "".join(f"[{i}]" for i in self.index)


@dataclass(frozen=True)
class LimitOf:
    """Under which key an alignment returns a limit of a draw: its value, or where it is given and not 0."""

    name: str
    form: LimitForm
    given: bool = False


Where = tuple[tuple[int, ...], tuple[Any, ...]]
"""Where in a run an expression is evaluated: the path of calls, and the iteration vector."""


class NoiseHandle:
    """Stands for the noise parameter while a program is evaluated."""

    def __repr__(self) -> str:
        return "noise"


NOISE = NoiseHandle()


@dataclass(frozen=True, eq=False)
class Family:
    """A sequence of symbolic length: its length, and its element at an index.

    ``admits`` is the condition of the comprehension's filters; None where there are none.
    """

    length: Any
    element: Callable[[Any], Any] = field(repr=False)
    admits: Callable[[Any], Any] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Members:
    """A set of indices."""

    items: tuple[Any, ...]


@dataclass(frozen=True)
class MembersOf:
    """The set of the items of a sequence of symbolic length."""

    family: Family


@dataclass(frozen=True, eq=False)
class FilteredList:
    """The items of a sequence of symbolic length that its filters let pass: where they stand in the list is not known.

    It is no Family: its items are added up, counted, made into further filtered lists, or put out, and read in no other
    way. How many there are is as private as what the filters read.
    """

    family: Family


def is_number(value: Any) -> bool:
    """Whether a value is a number, concrete or symbolic. A Boolean is not."""
    kind = type(value)
    if kind in PLAIN or kind is bool:
        return kind is not bool
    return isinstance(value, CONCRETE_NUMBERS) or hasattr(value, "compare")


def is_condition(value: Any) -> bool:
    """Whether a value is a Boolean, concrete or symbolic."""
    return isinstance(value, bool) or hasattr(value, "choose")


def is_concrete(value: Any) -> bool:
    """Whether a number is a plain one."""
    return type(value) in PLAIN or isinstance(value, CONCRETE_NUMBERS)


class Returned:
    """A ``return`` on its way out of the function."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Broke:
    """A ``break`` on its way out of its loop."""

    def __init__(self, statement: Break) -> None:
        self.statement = statement


Signal = Returned | Broke | None
