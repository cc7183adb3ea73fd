"""Symbolic numbers: sums of monomials over atoms, with exponents that may be negative.

A scale such as 1 / (eps / (4 * k)) is then one monomial, and a comparison becomes an inequality between
polynomials: denominators are multiplied out where the sign of what they hold is known, squared where it is not.
Equal terms are structurally equal as far as this normal form goes; the solver decides the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from alignkit.errors import TooLarge, Unsupported
from alignkit.language.functions import MOST_FACTORS
from alignkit.symbolic.atoms import (
    UNCOUNTED,
    Conditional,
    Element,
    Inverse,
    Monomial,
    Parts,
    Remainder,
    Special,
    Symbol,
    common,
    order,
    ordered,
    text,
)
from alignkit.symbolic.trees import MOST_PRODUCTS, Atom, Role, SymbolicTree, lazy, not_too_long

__all__ = [
    "Atom",
    "Conditional",
    "Element",
    "Inverse",
    "Monomial",
    "Parts",
    "Role",
    "Special",
    "Symbol",
    "Term",
    "atoms_within",
    "roles",
]


class Term(SymbolicTree):
    """A sum of monomials with rational coefficients; immutable, compared by structure."""

    kind = "sum"

    def __init__(self, parts: Parts) -> None:
        kept = [(monomial, coefficient) for monomial, coefficient in parts.items() if coefficient]
        self.parts: Parts = dict(sorted(kept, key=lambda part: order(part[0])))

    @staticmethod
    def _ordered(parts: Parts) -> Term:
        """The term of parts that are in order already, none of them 0."""
        made = Term.__new__(Term)
        made.parts = parts
        return made

    @staticmethod
    def of(value: Any) -> Term:
        """A term of a plain number, an atom or a term."""
        if isinstance(value, Term):
            return value
        if isinstance(value, Atom):
            return Term._ordered({((value, 1),): 1})
        if hasattr(value, "as_term"):
            return value.as_term()  # type: ignore[no-any-return]
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise TypeError(f"no exact number: {value!r}")
        return _SMALL[value] if value in _SMALL else Term({(): value})

    @lazy
    def key(self) -> str:
        if not self.parts:
            return "0"
        return not_too_long(" + ".join(text(m, c) for m, c in self.parts.items()).replace("+ -", "- "))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Term) and self.key == other.key

    __hash__ = SymbolicTree.__hash__

    @property
    def children(self) -> Iterable[Any]:
        return self.atoms()

    # Facts that can be read off

    @property
    def constant(self) -> Fraction | None:
        """The number this term is, if it mentions nothing."""
        if len(self.parts) > 1 or (self.parts and () not in self.parts):
            return None
        return Fraction(self.parts.get((), 0))

    @property
    def linear(self) -> bool:
        """Whether it is a sum of at least two parts, each a number or a multiple of an atom other than an Inverse."""
        for monomial in self.parts:
            if monomial and (len(monomial) > 1 or monomial[0][1] != 1 or type(monomial[0][0]) is Inverse):
                return False
        return len(self.parts) > 1

    @lazy
    def integer(self) -> bool:
        """Whether every value of the term is known to be a whole number."""
        whole = all(coefficient.denominator == 1 for coefficient in self.parts.values())
        return whole and self.integer_atoms

    @lazy
    def integer_atoms(self) -> bool:
        """Whether every monomial is a product of whole numbers."""
        return all(power > 0 and atom.integer for monomial in self.parts for atom, power in monomial)

    @lazy
    def sign(self) -> int | None:
        """1 or -1 where the sign can be read off, 0 for the number 0, None where it cannot."""
        if not self.parts:
            return 0
        if not all(atom.positive for atom in self.atoms()):
            return None
        signs = {1 if c > 0 else -1 for c in self.parts.values()}
        return signs.pop() if len(signs) == 1 else None

    @lazy
    def inverted(self) -> tuple[Atom, ...]:
        """The atoms of the term itself under a negative exponent."""
        return tuple([atom for monomial in self.parts for atom, power in monomial if power < 0])

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
            parts[monomial] = parts.get(monomial, 0) + coefficient
        return Term(parts)

    __radd__ = __add__

    def __neg__(self) -> Term:
        return Term._ordered({m: -c for m, c in self.parts.items()})

    def __sub__(self, other: Any) -> Term:
        return self + -Term.of(other)

    def __rsub__(self, other: Any) -> Term:
        return Term.of(other) + -self

    def __mul__(self, other: Any) -> Term:
        factor = Term.of(other)
        for one, number in ((self, factor.parts), (factor, self.parts)):
            if not number:
                return _SMALL[0]
            if len(number) == 1 and () in number:
                return one if number[()] == 1 else Term._ordered({m: c * number[()] for m, c in one.parts.items()})
        return self._product(factor)

    def _product(self, factor: Term) -> Term:
        if len(self.parts) * len(factor.parts) > MOST_PRODUCTS:
            raise TooLarge("a product of sums has too many summands once it is multiplied out; multiply fewer of them")
        result = Term({})
        plain: Parts = {}
        for m1, c1 in self.parts.items():
            for m2, c2 in factor.parts.items():
                monomial, expanded = _times(m1, m2)
                if expanded is None:
                    plain[monomial] = plain.get(monomial, 0) + c1 * c2
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
        """1 / self; the caller must know that self is not 0."""
        if not self.parts:
            raise ZeroDivisionError("inverse of the number 0")
        shared = common(self.parts)
        lead = Fraction(next(iter(self.parts.values())))
        outside = Term({ordered((a, -n) for a, n in shared): 1 / lead})
        expanded = outside._product(_SMALL[1])  # each Inverse under a negative exponent is what it inverts
        return expanded if len(self.parts) == 1 else expanded * Term.of(Inverse(self * outside))

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

        if relation in (">", ">="):
            return comparison(Term.of(other) - self, "<" if relation == ">" else "<=")
        return comparison(self - other, relation)

    def __floordiv__(self, other: Any) -> Term:
        """floor(self / other) of whole numbers; the caller must know that other is not 0."""
        divisor = Term.of(other)
        self._check_whole(divisor)
        return (self / divisor).floor()

    def _check_whole(self, divisor: Term) -> None:
        for number in (self, divisor):
            if not number.integer:
                raise Unsupported("// or % of a number that need not be whole")
            if number.roles & UNCOUNTED:
                raise Unsupported("// or % of private answers, noise or real outputs")

    def __rfloordiv__(self, other: Any) -> Term:
        return Term.of(other) // self

    def __mod__(self, other: Any) -> Term:
        divisor = Term.of(other)
        self._check_whole(divisor)
        return self.remainder(divisor)

    def __rmod__(self, other: Any) -> Term:
        return Term.of(other) % self

    def remainder(self, divisor: Term) -> Term:
        """What ``//`` leaves over; multiples of the divisor make no difference to it."""
        ratio = self / divisor
        multiple = Term({m: math.trunc(c) if m else math.floor(c) for m, c in ratio.parts.items() if _is_whole(m)})
        rest = self - multiple * divisor
        if rest.parts and rest.integer and divisor.integer and (rest.constant is None or divisor.constant is None):
            return Term.of(Remainder(rest, divisor))
        return rest - (rest / divisor).floor() * divisor

    def floor(self) -> Term:
        """The largest whole number that is not above this one."""
        constant = self.constant
        if constant is not None:
            return Term.of(math.floor(constant))
        return self if self.integer else Term.of(Special("floor", self))

    def ceil(self) -> Term:
        """The smallest whole number that is not below this one."""
        constant = self.constant
        if constant is not None:
            return Term.of(math.ceil(constant))
        return self if self.integer else Term.of(Special("ceil", self))

    __ceil__ = ceil

    def round(self) -> Term:
        """The nearest whole number, of two the even one.

        It is no ``integer``: what is said of whole numbers, which noise does not decide, is not said of it.
        """
        constant = self.constant
        if constant is not None:
            return Term.of(round(constant))
        return self if self.integer else Term.of(Special("round", self))

    def power(self, exponent: int) -> Term:
        """A whole power, as a product; of 1 / self where the exponent is below 0, and self is known not to be 0."""
        if abs(exponent) > MOST_FACTORS:
            raise Unsupported(f"a power of a number that is not known, with an exponent above {MOST_FACTORS}")
        factor, product = self if exponent >= 0 else self.inverse(), _SMALL[1]
        for _ in range(abs(exponent)):
            product = product * factor
        return product

    def sqrt(self) -> Term:
        return Term.of(Special("sqrt", self))

    def exp(self) -> Term:
        """The exponential; that of a whole multiple of a logarithm is a power, where the logarithm has a value."""
        rest, product = self, _SMALL[1]
        for monomial, factor in self.parts.items():
            atom = monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else None
            whole = Fraction(factor).denominator == 1 and abs(factor) <= MOST_FACTORS
            if isinstance(atom, Special) and atom.function == "log" and whole:
                rest, product = rest - Term.of(atom) * factor, product * atom.of.power(int(factor))
        return product if not rest.parts else Term.of(Special("exp", rest)) * product

    def log(self) -> Term:
        """The logarithm; that of a number below 1 is minus that of its inverse, so that equal logarithms look alike."""
        constant = self.constant
        if constant == 1:
            return Term.of(0)
        if constant is not None and 0 < constant < 1:
            return -Term.of(Special("log", Term.of(1 / constant)))
        return Term.of(Special("log", self))


def _ratio(one: Term, other: Term) -> Term | None:
    """one / other where that is a single monomial."""
    if len(one.parts) != len(other.parts) or len(one.parts) < 2:
        return None
    factor = Term({common(one.parts): 1}) * Term({ordered((a, -n) for a, n in common(other.parts)): 1})
    scaled = other * factor
    monomial = next(iter(one.parts))
    if monomial not in scaled.parts:
        return None
    ratio = factor * (Fraction(one.parts[monomial]) / scaled.parts[monomial])
    return ratio if other * ratio == one else None


def _times(one: Monomial, other: Monomial) -> tuple[Monomial, Term | None]:
    """The product of two monomials, and as a term of its own what each Inverse under a negative exponent inverts."""
    powers = dict(one)
    for atom, n in other:
        powers[atom] = powers.get(atom, 0) + n
    expanded: Term | None = None
    for atom, n in list(powers.items()):
        if isinstance(atom, Inverse) and n < 0:
            del powers[atom]
            for _ in range(-n):
                expanded = atom.of if expanded is None else expanded * atom.of
    return ordered(powers.items()), expanded


def _is_whole(monomial: Monomial) -> bool:
    """Whether a product of atoms is a whole number."""
    return Term({monomial: 1}).integer_atoms


def atoms_within(value: Any) -> tuple[Atom, ...]:
    """Every atom a term or formula mentions, once, those inside conditions, indices and inverses included."""
    return getattr(value, "within", ())


def roles(value: Any) -> frozenset[Role]:
    """What the symbols of a term or formula stand for; unknown Booleans count as discrete output."""
    return getattr(value, "roles", frozenset())


# Small whole numbers, of which programs are full.
_SMALL: dict[Any, Term] = {n: Term({(): n}) for n in range(-4, 11)}
