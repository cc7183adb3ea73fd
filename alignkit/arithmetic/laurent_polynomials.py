"""Polynomials in the symbolic bases, with whole exponents that may be below 0 and rational coefficients.

A monomial is the tuple of its exponents, one for each base. Two polynomials are the same function of the bases exactly
where they have the same terms, so that equality needs no more than a comparison of dicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

from alignkit.errors import Unsupported

Monomial = tuple[int, ...]

# Whole coefficients are ints, which are many times as fast as Fractions.
Coefficient = int | Fraction

# More terms than this take minutes to multiply.
MOST_TERMS = 200_000


@dataclass(frozen=True, eq=False)
class Polynomial:
    """Σ coefficient · base₁^e₁ · base₂^e₂ …

    >>> b = Polynomial.of({(1,): 1}, 1)
    >>> (b + b.constant(1)) * (b - b.constant(1))
    Polynomial(-1·(0,) + 1·(2,))
    """

    terms: Mapping[Monomial, Coefficient]
    size: int

    @classmethod
    def of(cls, terms: Mapping[Monomial, Coefficient], size: int) -> Polynomial:
        """The polynomial of these terms in ``size`` bases; terms of coefficient 0 are left out."""
        return cls({m: _lean(c) for m, c in terms.items() if c}, size)

    def constant(self, value: int | Fraction) -> Polynomial:
        """A number, in as many bases."""
        return Polynomial.of({(0,) * self.size: value}, self.size)

    def __repr__(self) -> str:
        return "Polynomial(" + (" + ".join(f"{self.terms[m]}·{m}" for m in sorted(self.terms)) or "0") + ")"

    @cached_property
    def _key(self) -> frozenset[tuple[Monomial, Coefficient]]:
        return frozenset(self.terms.items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __bool__(self) -> bool:
        return bool(self.terms)

    @property
    def single(self) -> bool:
        """Whether it is one term, or 0."""
        return len(self.terms) <= 1

    def __add__(self, other: Polynomial) -> Polynomial:
        total = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            value = total.get(monomial, 0) + coefficient
            if value:
                total[monomial] = value
            else:
                del total[monomial]
        return Polynomial(total, self.size)

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -c for m, c in self.terms.items()}, self.size)

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        if len(self.terms) * len(other.terms) > MOST_TERMS * 10:
            raise Unsupported("a probability has too many terms; take smaller inputs")
        total: dict[Monomial, Coefficient] = {}
        for one, left in self.terms.items():
            for two, right in other.terms.items():
                monomial = tuple([a + b for a, b in zip(one, two, strict=True)])
                total[monomial] = total.get(monomial, 0) + left * right
        return Polynomial({m: c for m, c in total.items() if c}, self.size)

    def __pow__(self, exponent: int) -> Polynomial:
        """To a power >= 0; one term also to a power below 0."""
        if exponent < 0 or len(self.terms) == 1:
            ((monomial, coefficient),) = self.terms.items()
            power = _lean(Fraction(coefficient) ** exponent)
            return Polynomial({tuple(e * exponent for e in monomial): power}, self.size)
        # So many products of two terms, about, if no two of them are alike.
        if (exponent * len(self.terms)) ** 2 > MOST_TERMS * 100:
            raise Unsupported("a probability has too many terms; take smaller inputs")
        result = self.constant(1)
        for _ in range(exponent):
            result = result * self
        return result

    def normal(self) -> tuple[Polynomial, Polynomial]:
        """One term, and a polynomial whose lowest exponents are 0 and whose first coefficient is 1; their product."""
        low = tuple(min(m[i] for m in self.terms) for i in range(self.size))
        first = self.terms[max(self.terms)]
        rest = {
            tuple(e - f for e, f in zip(monomial, low, strict=True)): _lean(Fraction(c) / first) if first != 1 else c
            for monomial, c in self.terms.items()
        }
        return Polynomial({low: first}, self.size), Polynomial(rest, self.size)

    def at(self, bases: tuple[Fraction, ...]) -> Fraction:
        """The value where the bases are these numbers above 0."""
        total = Fraction(0)
        for monomial, coefficient in self.terms.items():
            value = Fraction(coefficient)
            for base, exponent in zip(bases, monomial, strict=True):
                value *= base**exponent
            total += value
        return total

    def sign(self) -> int | None:
        """1 or -1 where it is above, or below, 0 for all bases strictly between 0 and 1; 0 where it is 0 everywhere.

        None where neither was shown: the sign may change.
        """
        if not self:
            return 0
        _, plain = self.normal()
        side = 1 if self.terms[max(self.terms)] > 0 else -1
        # With base = 1/(1 + t), t > 0: no two coefficients of different sign, no change of sign.
        signs = {coefficient > 0 for coefficient in _in_odds(plain)}
        if len(signs) == 1:
            return side if signs.pop() else -side
        if self.size == 1:
            return _sign_by_roots(plain, side)
        return None


def _lean(coefficient: Coefficient) -> Coefficient:
    return int(coefficient) if coefficient.denominator == 1 else coefficient


def _in_odds(plain: Polynomial) -> Iterator[Coefficient]:
    """The coefficients of (1 + t₁)^d₁ … · plain at base = 1/(1 + t)."""
    degrees = [max(m[i] for m in plain.terms) for i in range(plain.size)]
    terms = dict(plain.terms)
    for i, degree in enumerate(degrees):
        spread: dict[Monomial, Coefficient] = {}
        for monomial, coefficient in terms.items():
            left = degree - monomial[i]
            for k in range(left + 1):
                moved = (*monomial[:i], k, *monomial[i + 1 :])
                spread[moved] = spread.get(moved, 0) + coefficient * comb(left, k)
        terms = spread
    return (coefficient for coefficient in terms.values() if coefficient)


def _sign_by_roots(plain: Polynomial, side: int) -> int | None:
    import sympy

    x = sympy.Symbol("x")
    terms = {m: sympy.Rational(c.numerator, c.denominator) for m, c in plain.terms.items()}
    poly = sympy.Poly.from_dict(terms, x)
    inside = poly.count_roots(0, 1) - (poly.eval(0) == 0) - (poly.eval(1) == 0)
    if inside:
        return None
    return side if plain.at((Fraction(1, 2),)) > 0 else -side
