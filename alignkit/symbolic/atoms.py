"""What terms are made of: symbols, elements of arrays, and values that depend on terms otherwise than by + and *."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.symbolic.lazy import lazy

if TYPE_CHECKING:
    from alignkit.symbolic.formulas import Formula
    from alignkit.symbolic.terms import Term


class Role(enum.Enum):
    """What a symbol stands for; the conditions of a proof are stated in these words."""

    PUBLIC = "public parameter"
    PRIVATE = "private answer"
    NOISE = "noise"
    OUTPUT = "real part of the output"
    INDEX = "index"
    STATE = "state of a loop"
    UNKNOWN = "discrete part of the output"

    __hash__ = object.__hash__  # there is one object for each role, and Enum's own hash is written in Python

    @property
    def prefix(self) -> str:
        """What keeps the keys of symbols apart whose names a user or a program may choose alike."""
        return _PREFIXES.get(self, "")


_PREFIXES = {Role.NOISE: "H.", Role.OUTPUT: "omega: ", Role.INDEX: "#", Role.STATE: "loop: ", Role.UNKNOWN: "? "}


@dataclass(frozen=True)
class Symbol:
    """A number that is not known. ``positive`` and ``integer`` are facts about every value it may take."""

    name: str
    role: Role
    integer: bool = False
    positive: bool = False

    def __hash__(self) -> int:
        return hash(self.key)

    @lazy
    def key(self) -> str:
        return self.role.prefix + self.name

    @lazy
    def identity(self) -> str:
        """Equal for equal symbols only: its name and all that is known of it."""
        return f"{self.role.value}, {self.integer}, {self.positive}: {self.key}"


@dataclass(frozen=True)
class Element:
    """The element of an array at an index; at equal indices it is equal."""

    array: str
    index: Term
    role: Role
    integer: bool = False
    positive = False

    def __hash__(self) -> int:
        return hash(self.key)

    @lazy
    def key(self) -> str:
        return f"{self.role.prefix}{self.array}[{self.index.key}]"

    @lazy
    def identity(self) -> str:
        """Equal for equal elements only."""
        return f"{self.role.value}, {self.integer}: {self.key}"


@dataclass(frozen=True)
class Conditional:
    """``then`` where the condition holds, ``other`` where not."""

    condition: Formula
    then: Term
    other: Term
    positive = False

    @property
    def integer(self) -> bool:
        return self.then.integer and self.other.integer

    def __hash__(self) -> int:
        return hash(self.key)

    @lazy
    def key(self) -> str:
        return f"({self.then.key} if {self.condition.key} else {self.other.key})"

    @property
    def identity(self) -> str:
        """Equal for equal atoms only: what it is made of is in its key."""
        return self.key


@dataclass(frozen=True)
class Inverse:
    """1 / of, where ``of`` is not 0 (an obligation of whoever divides)."""

    of: Term
    integer = False
    positive = False

    def __hash__(self) -> int:
        return hash(self.key)

    @lazy
    def key(self) -> str:
        return f"1/({self.of.key})"

    @property
    def identity(self) -> str:
        """Equal for equal atoms only: what it is made of is in its key."""
        return self.key


@dataclass(frozen=True)
class Special:
    """sqrt, exp or log of a term."""

    function: str
    of: Term
    integer = False

    @property
    def positive(self) -> bool:
        return self.function == "exp"

    def __hash__(self) -> int:
        return hash(self.key)

    @lazy
    def key(self) -> str:
        return f"{self.function}({self.of.key})"

    @property
    def identity(self) -> str:
        """Equal for equal atoms only: what it is made of is in its key."""
        return self.key


Atom = Symbol | Element | Conditional | Inverse | Special
Monomial = tuple[tuple[Atom, int], ...]


def parts_of(atom: Atom) -> tuple[Any, ...]:
    """The terms and conditions that an atom is made of."""
    # Told by type: patterns take several times as long.
    if isinstance(atom, Symbol):
        return ()
    if isinstance(atom, Element):
        return (atom.index,)
    if isinstance(atom, Conditional):
        return (atom.condition, atom.then, atom.other)
    return (atom.of,)
