"""Symbolic numbers: sums of monomials over atoms, with exponents that may be negative.

A scale such as 1 / (eps / (4 * k)) is then one monomial, and a comparison becomes an inequality between
polynomials: denominators are multiplied out where the sign of what they hold is known, squared where it is not.
Equal terms are structurally equal as far as this normal form goes; the solver decides the rest.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from alignkit.symbolic.formulas import Formula


class Role(enum.Enum):
    """What a symbol stands for; the conditions of a proof are stated in these words."""

    PUBLIC = "public parameter"
    PRIVATE = "private answer"
    NOISE = "noise"
    OUTPUT = "real part of the output"
    INDEX = "index"
    STATE = "state of a loop"
    UNKNOWN = "discrete part of the output"

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

    @cached_property
    def key(self) -> str:
        return self.role.prefix + self.name


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

    @cached_property
    def key(self) -> str:
        return f"{self.role.prefix}{self.array}[{self.index.key}]"


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

    @cached_property
    def key(self) -> str:
        return f"({self.then.key} if {self.condition.key} else {self.other.key})"


@dataclass(frozen=True)
class Inverse:
    """1 / of, where ``of`` is not 0 (an obligation of whoever divides)."""

    of: Term
    integer = False
    positive = False

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def key(self) -> str:
        return f"1/({self.of.key})"


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

    @cached_property
    def key(self) -> str:
        return f"{self.function}({self.of.key})"


Atom = Symbol | Element | Conditional | Inverse | Special
Monomial = tuple[tuple[Atom, int], ...]
Parts = dict[Monomial, Fraction]


def _sorted(powers: Iterable[tuple[Atom, int]]) -> Monomial:
    return tuple(sorted(((a, n) for a, n in powers if n), key=lambda power: power[0].key))


class Term:
    """A sum of monomials with rational coefficients; immutable, compared by structure."""

    __slots__ = ("__dict__", "parts")

    def __init__(self, parts: Parts) -> None:
        kept = {m: c for m, c in parts.items() if c}
        self.parts = {m: kept[m] for m in sorted(kept, key=_monomial_key)} if len(kept) > 1 else kept

    @staticmethod
    def of(value: Any) -> Term:
        """A term of a plain number, an atom or a term."""
        if isinstance(value, Term):
            return value
        if isinstance(value, Symbol | Element | Conditional | Inverse | Special):
            return Term({((value, 1),): Fraction(1)})
        if hasattr(value, "as_term"):
            return value.as_term()  # type: ignore[no-any-return]
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise TypeError(f"no exact number: {value!r}")
        return _SMALL[value] if value in _SMALL else Term({(): Fraction(value)})

    @cached_property
    def key(self) -> str:
        if not self.parts:
            return "0"
        return " + ".join(_part_key(m, c) for m, c in self.parts.items()).replace("+ -", "- ")

    def __repr__(self) -> str:
        return self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.key == other.key

    # Facts that can be read off

    @property
    def constant(self) -> Fraction | None:
        """The number this term is, if it mentions nothing."""
        if not self.parts:
            return Fraction(0)
        return self.parts.get(()) if len(self.parts) == 1 else None

    @cached_property
    def integer(self) -> bool:
        """Whether every value of the term is known to be a whole number."""
        return all(c.denominator == 1 and all(a.integer and n > 0 for a, n in m) for m, c in self.parts.items())

    @cached_property
    def sign(self) -> int | None:
        """1 or -1 where the sign can be read off, 0 for the number 0, None where it cannot."""
        if not self.parts:
            return 0
        if not all(a.positive for m in self.parts for a, _ in m):
            return None
        signs = {1 if c > 0 else -1 for c in self.parts.values()}
        return signs.pop() if len(signs) == 1 else None

    @cached_property
    def within(self) -> tuple[Atom, ...]:
        """Every atom the term mentions, once, those inside its atoms included."""
        found: dict[Atom, None] = {}
        for atom in self.atoms():
            if atom not in found:
                found[atom] = None
                for part in parts_of(atom):
                    found |= dict.fromkeys(part.within)
        return tuple(found)

    def atoms(self) -> Iterator[Atom]:
        """The atoms of the term itself, not those inside them."""
        for monomial in self.parts:
            for atom, _ in monomial:
                yield atom

    # Arithmetic

    def __add__(self, other: Any) -> Term:
        added = Term.of(other)
        if not added.parts:
            return self
        parts = dict(self.parts)
        for monomial, coefficient in added.parts.items():
            parts[monomial] = parts[monomial] + coefficient if monomial in parts else coefficient
        return Term(parts)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return Term({m: -c for m, c in self.parts.items()})

    def __sub__(self, other: Any) -> Term:
        taken = Term.of(other)
        if not taken.parts:
            return self
        parts = dict(self.parts)
        for monomial, coefficient in taken.parts.items():
            parts[monomial] = parts[monomial] - coefficient if monomial in parts else -coefficient
        return Term(parts)

    def __rsub__(self, other: Any) -> Term:
        return Term.of(other) + -self

    def __mul__(self, other: Any) -> Term:
        result = Term({})
        plain: Parts = {}
        factor = Term.of(other)
        for m1, c1 in self.parts.items():
            for m2, c2 in factor.parts.items():
                monomial, expanded = _times(m1, m2)
                if expanded is None:
                    plain[monomial] = plain.get(monomial, Fraction(0)) + c1 * c2
                else:
                    result = result + Term({monomial: c1 * c2}) * expanded
        return result + Term(plain) if result.parts else Term(plain)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Term:
        divisor = Term.of(other)
        return _ratio(self, divisor) or self * divisor.inverse()

    def __rtruediv__(self, other: Any) -> Term:
        return Term.of(other) * self.inverse()

    def inverse(self) -> Term:
        """1 / self; that self is not 0 is for the caller to know."""
        if not self.parts:
            raise ZeroDivisionError("inverse of the number 0")
        shared = common(self)
        lead = next(iter(self.parts.values()))
        outside = Term({_sorted((a, -n) for a, n in shared): 1 / lead})
        if len(self.parts) == 1:
            return _expand(outside)
        return _expand(outside) * Term.of(Inverse(self * Term({_sorted((a, -n) for a, n in shared): 1 / lead})))

    def __abs__(self) -> Term:
        constant = self.constant
        if constant is not None:
            return Term.of(abs(constant))
        if self.sign is not None:
            return self * self.sign
        at_least = self.compare(">=", 0)
        if isinstance(at_least, bool):
            return self if at_least else -self
        return at_least.choose(self, -self)  # type: ignore[no-any-return]

    def compare(self, relation: str, other: Any) -> Any:
        """The condition ``self relation other``: a bool where it can be read off, else a Formula."""
        from alignkit.symbolic.formulas import comparison

        return comparison(self - other, relation)

    def sqrt(self) -> Term:
        return Term.of(Special("sqrt", self))

    def exp(self) -> Term:
        return Term.of(Special("exp", self))

    def log(self) -> Term:
        """The logarithm; below 1 a number's is minus that of its inverse, so that equal ones look alike."""
        constant = self.constant
        if constant == 1:
            return Term.of(0)
        if constant is not None and 0 < constant < 1:
            return -Term.of(Special("log", Term.of(1 / constant)))
        return Term.of(Special("log", self))


# The numbers that programs are full of.
_SMALL: dict[Any, Term] = {Fraction(n): Term({(): Fraction(n)}) for n in range(-4, 11)}


def common(term: Term) -> Monomial:
    """The largest monomial (exponents may be negative) that divides every part."""
    if () in term.parts and all(n > 0 for monomial in term.parts for _, n in monomial):
        return ()
    lowest: dict[Atom, int] | None = None
    for monomial in term.parts:
        powers = dict(monomial)
        if lowest is None:
            lowest = powers
        else:
            lowest = {a: min(n, powers.get(a, 0)) for a, n in lowest.items()} | {
                a: min(n, 0) for a, n in powers.items() if a not in lowest
            }
    return _sorted((lowest or {}).items())


def _ratio(one: Term, other: Term) -> Term | None:
    """one / other where that is a single monomial."""
    if len(one.parts) != len(other.parts) or len(one.parts) < 2:
        return None
    factor = Term({_sorted((a, n) for a, n in common(one)): Fraction(1)}) * Term(
        {_sorted((a, -n) for a, n in common(other)): Fraction(1)}
    )
    scaled = other * factor
    monomial = next(iter(one.parts))
    if monomial not in scaled.parts:
        return None
    ratio = factor * (one.parts[monomial] / scaled.parts[monomial])
    return ratio if other * ratio == one else None


def _times(one: Monomial, other: Monomial) -> tuple[Monomial, Term | None]:
    """The product of two monomials; an Inverse under a negative exponent comes back as what it inverts."""
    powers = dict(one)
    for atom, n in other:
        powers[atom] = powers.get(atom, 0) + n
    expanded: Term | None = None
    for atom, n in list(powers.items()):
        if isinstance(atom, Inverse) and n < 0:
            del powers[atom]
            for _ in range(-n):
                expanded = atom.of if expanded is None else expanded * atom.of
    return _sorted(powers.items()), expanded


def _expand(term: Term) -> Term:
    """The term with Inverse atoms under negative exponents multiplied out."""
    return term * Term.of(1)


def _monomial_key(monomial: Monomial) -> tuple[tuple[str, int], ...]:
    return tuple([(a.key, n) for a, n in monomial])


def _part_key(monomial: Monomial, coefficient: Fraction) -> str:
    above = [a.key if n == 1 else f"{a.key}**{n}" for a, n in monomial if n > 0]
    below = [a.key if n == -1 else f"{a.key}**{-n}" for a, n in monomial if n < 0]
    number, divisor = abs(coefficient.numerator), coefficient.denominator
    if number != 1 or not above:
        above.insert(0, str(number))
    if divisor != 1:
        below.insert(0, str(divisor))
    text = " * ".join(above)
    if below:
        text += " / " + (below[0] if len(below) == 1 else f"({' * '.join(below)})")
    return ("-" if coefficient < 0 else "") + text


def atoms_within(value: Any) -> tuple[Atom, ...]:
    """Every atom a term or formula mentions, once, those inside conditions, indices and inverses included."""
    return getattr(value, "within", ())


def parts_of(atom: Atom) -> Iterator[Any]:
    """The terms and conditions that an atom is made of."""
    match atom:
        case Element(index=index):
            yield index
        case Conditional(condition=condition, then=then, other=other):
            yield from (condition, then, other)
        case Inverse(of=of) | Special(of=of):
            yield of


def roles(value: Any) -> frozenset[Role]:
    """What the symbols of a term or formula stand for; unknown Booleans count as discrete output."""
    from alignkit.symbolic.formulas import Formula, unknowns

    found = {a.role for a in atoms_within(value) if isinstance(a, Symbol | Element)}
    if isinstance(value, Term | Formula) and any(True for _ in unknowns(value)):
        found.add(Role.UNKNOWN)
    return frozenset(found)
