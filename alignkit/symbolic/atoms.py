"""The kinds of atoms: symbols, elements of arrays, and values that depend on terms otherwise than by + and *."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from alignkit.symbolic.lazy import lazy
from alignkit.symbolic.trees import Atom, Role, not_too_long

if TYPE_CHECKING:
    from alignkit.symbolic.formulas import Formula
    from alignkit.symbolic.terms import Term


@dataclass(frozen=True, eq=False, repr=False)
class Symbol(Atom):
    """A number that is not known; ``called`` is whether a call gave it of which only a claim is known."""

    name: str
    role: Role
    integer: bool = False
    positive: bool = False
    called: bool = field(default=False, kw_only=True)

    kind = "symbol"

    @lazy
    def key(self) -> str:
        return self.role.prefix + self.name

    @lazy
    def identity(self) -> str:
        return f"{self.role.value}, {self.integer}, {self.positive}: {self.key}"


@dataclass(frozen=True, eq=False, repr=False)
class Element(Atom):
    """The element of an array at an index; at equal indices it is equal. ``called`` is as for a symbol."""

    array: str
    index: Term
    role: Role
    integer: bool = False
    called: bool = field(default=False, kw_only=True)

    kind = "element"

    @lazy
    def name(self) -> str:
        """The name of the array."""
        return self.array

    @property
    def children(self) -> Iterable[Any]:
        return (self.index,)

    def at(self, index: Term) -> Element:
        """The element of the same array at another index."""
        return Element(self.array, index, self.role, self.integer, called=self.called)

    @lazy
    def key(self) -> str:
        return f"{self.role.prefix}{self.array}[{self.index.key}]"

    @lazy
    def identity(self) -> str:
        return f"{self.role.value}, {self.integer}: {self.key}"


@dataclass(frozen=True, eq=False, repr=False)
class Conditional(Atom):
    """``then`` where the condition holds, ``other`` where not."""

    condition: Formula
    then: Term
    other: Term

    kind = "conditional"

    @property
    def children(self) -> Iterable[Any]:
        return (self.condition, self.then, self.other)

    @lazy
    def integer(self) -> bool:
        return self.then.integer and self.other.integer

    @lazy
    def key(self) -> str:
        return not_too_long(f"({self.then.key} if {self.condition.key} else {self.other.key})")


@dataclass(frozen=True, eq=False, repr=False)
class Inverse(Atom):
    """1 / of, where ``of`` is not 0 (which whoever divides has to prove)."""

    of: Term

    kind = "inverse"

    @property
    def children(self) -> Iterable[Any]:
        return (self.of,)

    @lazy
    def key(self) -> str:
        return f"1/({self.of.key})"


@dataclass(frozen=True, eq=False, repr=False)
class Special(Atom):
    """sqrt, exp or log of a term, the largest whole number that does not exceed it (floor), or the nearest (round)."""

    function: str
    of: Term

    kind = "special"

    @property
    def children(self) -> Iterable[Any]:
        return (self.of,)

    @lazy
    def positive(self) -> bool:
        return self.function == "exp"

    @lazy
    def integer(self) -> bool:
        return self.function == "floor"

    @lazy
    def key(self) -> str:
        return f"{self.function}({self.of.key})"


@dataclass(frozen=True, eq=False, repr=False)
class Remainder(Atom):
    """``of`` % ``divisor``, as Python has it, of whole numbers; the divisor is not 0, which whoever divides proves."""

    of: Term
    divisor: Term

    kind = "remainder"
    integer = True

    @property
    def children(self) -> Iterable[Any]:
        return (self.of, self.divisor)

    @lazy
    def key(self) -> str:
        return f"({self.of.key}) % ({self.divisor.key})"
