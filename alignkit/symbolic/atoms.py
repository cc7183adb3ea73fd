"""The kinds of atoms: symbols, elements of arrays, and values that depend on terms otherwise than by + and *.

Products of atoms with exponents: their order, what they share, and how a part of a term is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.errors import TooManyDigits
from alignkit.symbolic.trees import Atom, Role, lazy, not_too_long

if TYPE_CHECKING:
    from alignkit.symbolic.formulas import Formula
    from alignkit.symbolic.terms import Term


Monomial = tuple[tuple[Atom, int], ...]
# What // and % are not covered for: a whole number of this is one by cases, such as `1 if q > 0 else 0`.
UNCOUNTED = frozenset({Role.PRIVATE, Role.NOISE, Role.OUTPUT})
_COUNTED = frozenset({Role.PUBLIC, Role.INDEX})

# The monomials of a sum with their coefficients. Most whole ones are ints, which are much faster than Fractions; so
# no coefficient may be divided by `/` as it is.
Parts = dict[Monomial, Fraction | int]


def ordered(powers: Iterable[tuple[Atom, int]]) -> Monomial:
    """The monomial of some atoms and their exponents, sorted by the atoms' keys, without those of exponent 0."""
    return tuple(sorted(((a, n) for a, n in powers if n), key=lambda power: power[0].key))


def order(monomial: Monomial) -> tuple[tuple[str, int], ...]:
    """The sort key of a monomial within a term."""
    return tuple([(a.key, n) for a, n in monomial])


def common(parts: Parts) -> Monomial:
    """The largest monomial (exponents may be negative) that divides every part."""
    powers = [dict(monomial) for monomial in parts]
    atoms = dict.fromkeys(atom for monomial in powers for atom in monomial)
    return ordered((atom, min(monomial.get(atom, 0) for monomial in powers)) for atom in atoms)


def text(monomial: Monomial, coefficient: Fraction | int) -> str:
    """A part of a term, with its sign."""
    above = [a.key if n == 1 else f"{a.key}**{n}" for a, n in monomial if n > 0]
    below = [a.key if n == -1 else f"{a.key}**{-n}" for a, n in monomial if n < 0]
    number, divisor = abs(coefficient.numerator), coefficient.denominator
    if number != 1 or not above:
        above.insert(0, _digits(number))
    if divisor != 1:
        below.insert(0, _digits(divisor))
    whole = " * ".join(above)
    if below:
        whole += " / " + (below[0] if len(below) == 1 else f"({' * '.join(below)})")
    return ("-" if coefficient < 0 else "") + whole


def _digits(number: int) -> str:
    try:
        return str(number)
    except ValueError as problem:
        raise TooManyDigits(f"a number that is too long: {problem}") from None


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

    @property
    def parameters(self) -> tuple[Atom, ...]:
        """The atoms besides the index on which the value depends."""
        return ()

    def at(self, index: Term) -> Element:
        """The element of the same array at another index."""
        return Element(self.array, index, self.role, self.integer, called=self.called)

    def rebuilt(self, term: Callable[[Term], Term], atom: Callable[[Atom], Term]) -> Element | Term:
        """The same of other terms: of what ``term`` and ``atom`` make of the index and of the parameters."""
        return self.at(term(self.index))

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
    """sqrt, exp or log of a term, or a whole number: the nearest below (floor), above (ceil), or of all (round)."""

    function: str
    of: Term

    kind = "special"

    @property
    def children(self) -> Iterable[Any]:
        return (self.of,)

    @lazy
    def positive(self) -> bool:
        return self.function == "exp" or (self.function in ("ceil", "sqrt") and self.of.sign == 1)

    @lazy
    def integer(self) -> bool:
        # What noise or an answer decides is no whole number that runs count, though it is one.
        counted = not self.of.roles & UNCOUNTED if self.of.integer_atoms else self.of.roles <= _COUNTED
        return self.function in ("floor", "ceil") and counted

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
