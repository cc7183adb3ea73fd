"""Polynomials in symbolic bases, with whole exponents that may be below 0 and rational coefficients, on flint.

A monomial is the tuple of its exponents, one for each base. A polynomial other than 0 is kept in one form only: one
term times a body, which is a polynomial of flint with lowest exponents 0 and first coefficient 1. (The lowest exponents
of a product are the sums of those of its factors, and its first coefficient is the product of theirs, so that a product
of bodies is a body.) Two polynomials are the same function of the bases exactly where these forms are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb

from flint import Ordering, arb, fmpq, fmpq_mpoly, fmpq_mpoly_ctx

from alignkit.errors import Unsupported

Monomial = tuple[int, ...]

# More terms than this take minutes to multiply.
MOST_TERMS = 200_000


@dataclass(frozen=True, eq=False)
class LaurentPolynomial:
    """coefficient · base₁^e₁ · base₂^e₂ … · body, with the exponents e of ``monomial``.

    >>> b = LaurentPolynomial.of({(1,): 1}, 1)
    >>> (b + b.constant(1)) * (b - b.constant(1))
    LaurentPolynomial(-1·(0,) + 1·(2,))
    """

    coefficient: fmpq
    monomial: Monomial
    body: fmpq_mpoly

    @classmethod
    def of(cls, terms: Mapping[Monomial, int | Fraction], size: int) -> LaurentPolynomial:
        """The polynomial of these terms in ``size`` bases; terms of coefficient 0 are left out."""
        low = tuple(min((m[i] for m, c in terms.items() if c), default=0) for i in range(size))
        moved = {
            tuple(e - f for e, f in zip(m, low, strict=True)) or (0,): fmpq(c.numerator, c.denominator)
            for m, c in terms.items()
        }
        return cls._canonical(_context(size).from_dict(moved), low)

    @classmethod
    def _canonical(cls, polynomial: fmpq_mpoly, monomial: Monomial) -> LaurentPolynomial:
        if not polynomial:
            return cls(fmpq(0), (0,) * len(monomial), polynomial + 1)
        common = polynomial.term_content()
        if not common.is_one():
            exponents = common.monoms()[0]
            monomial = tuple([e + int(f) for e, f in zip(monomial, exponents, strict=False)])
            polynomial = polynomial / common
        coefficient = polynomial.leading_coefficient()
        return cls(coefficient, monomial, polynomial if coefficient == 1 else polynomial / coefficient)

    def constant(self, value: int | Fraction) -> LaurentPolynomial:
        """A number, in as many bases."""
        one = self.body.context().constant(1)
        return LaurentPolynomial(fmpq(value.numerator, value.denominator), (0,) * len(self.monomial), one)

    @property
    def terms(self) -> dict[Monomial, Fraction]:
        """The coefficient of each monomial."""
        if not self:
            return {}
        terms = {}
        for exponents, c in self.body.to_dict().items():
            whole = tuple(e + int(f) for e, f in zip(self.monomial, exponents, strict=False))
            terms[whole] = _fraction(c * self.coefficient)
        return terms

    def __repr__(self) -> str:
        terms = self.terms
        return "LaurentPolynomial(" + (" + ".join(f"{terms[m]}·{m}" for m in sorted(terms)) or "0") + ")"

    @cached_property
    def _hash(self) -> int:
        # Hashing a rational number of flint takes long.
        return hash((self.monomial, *self.body.monoms()))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, LaurentPolynomial)
            and self.coefficient == other.coefficient
            and self.monomial == other.monomial
            and self.body == other.body
        )

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.coefficient)

    @property
    def single(self) -> bool:
        """Whether it is one term, or 0."""
        return len(self.body) == 1

    @property
    def largest_exponent(self) -> int:
        """The largest exponent of a base in any term, by its absolute value."""
        degrees = map(int, self.body.degrees())
        return max((max(abs(e), abs(e + d)) for e, d in zip(self.monomial, degrees, strict=False)), default=0)

    def __add__(self, other: LaurentPolynomial) -> LaurentPolynomial:
        if not self or not other:
            return self or other
        low = tuple(map(min, self.monomial, other.monomial))
        return LaurentPolynomial._canonical(self._above(low) + other._above(low), low)

    def _above(self, low: Monomial) -> fmpq_mpoly:
        """The polynomial over the monomial ``low``, as one of flint."""
        if low == self.monomial:
            return self.body if self.coefficient == 1 else self.body * self.coefficient
        exponents = tuple([e - f for e, f in zip(self.monomial, low, strict=True)])
        return self.body * self.body.context().term(self.coefficient, exponents)

    def __neg__(self) -> LaurentPolynomial:
        return LaurentPolynomial(-self.coefficient, self.monomial, self.body)

    def __sub__(self, other: LaurentPolynomial) -> LaurentPolynomial:
        return self + -other

    def __mul__(self, other: LaurentPolynomial) -> LaurentPolynomial:
        if not self or not other:
            return self.constant(0)
        if len(self.body) * len(other.body) > MOST_TERMS * 10:
            raise Unsupported("a probability has too many terms; take smaller inputs")
        monomial = tuple([e + f for e, f in zip(self.monomial, other.monomial, strict=True)])
        return LaurentPolynomial(self.coefficient * other.coefficient, monomial, self.body * other.body)

    def __pow__(self, exponent: int) -> LaurentPolynomial:
        """To a power >= 0; one term also to a power below 0."""
        # So many products of two terms, about, if no two of them are alike.
        if not self.single and (exponent * len(self.body)) ** 2 > MOST_TERMS * 100:
            raise Unsupported("a probability has too many terms; take smaller inputs")
        monomial = tuple([e * exponent for e in self.monomial])
        body = self.body if self.single else self.body**exponent
        return LaurentPolynomial(self.coefficient**exponent, monomial, body)

    def normal(self) -> tuple[LaurentPolynomial, LaurentPolynomial]:
        """One term, and a polynomial whose lowest exponents are 0 and whose first coefficient is 1; their product."""
        term = LaurentPolynomial(self.coefficient, self.monomial, self.body.context().constant(1))
        return term, LaurentPolynomial(fmpq(1), (0,) * len(self.monomial), self.body)

    def at(self, bases: Sequence[Fraction]) -> Fraction:
        """The value where the bases are these numbers above 0."""
        numbers = [fmpq(base.numerator, base.denominator) for base in bases]
        value = self.coefficient * self.body(*(numbers or [fmpq(0)]))
        for base, exponent in zip(numbers, self.monomial, strict=True):
            value *= base**exponent
        return _fraction(value)

    def ball(self, bases: Sequence[arb]) -> arb:
        """The value for bases above 0 that are known as balls, at flint's present precision."""
        total = arb(0)
        for exponents, coefficient in self.body.to_dict().items():
            value = arb(coefficient)
            for base, exponent in zip(bases, exponents, strict=False):
                value *= base**exponent
            total += value
        for base, exponent in zip(bases, self.monomial, strict=True):
            total *= base**exponent
        return total * self.coefficient

    def sign(self) -> int | None:
        """1 or -1 where it is above, or below, 0 for all bases strictly between 0 and 1; 0 where it is 0 everywhere.

        None where neither was shown: the sign may change.
        """
        if not self:
            return 0
        side = 1 if self.coefficient > 0 else -1
        # With base = 1/(1 + t), t > 0: no two coefficients of different sign, no change of sign.
        signs = {coefficient > 0 for coefficient in _in_odds(self.body)}
        if len(signs) == 1:
            return side if signs.pop() else -side
        if len(self.monomial) == 1:
            return _sign_by_roots(self.body, side)
        return None


def _context(size: int) -> fmpq_mpoly_ctx:
    """Polynomials in so many bases: of flint's variables there is one at least, which is not used for no bases."""
    return fmpq_mpoly_ctx.get([f"b{i}" for i in range(max(size, 1))], Ordering.lex)


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _in_odds(body: fmpq_mpoly) -> Iterator[fmpq]:
    """The coefficients of (1 + t₁)^d₁ … · body at base = 1/(1 + t)."""
    terms = {tuple(map(int, exponents)): c for exponents, c in body.to_dict().items()}
    for i, degree in enumerate(map(int, body.degrees())):
        spread: dict[Monomial, fmpq] = {}
        for monomial, coefficient in terms.items():
            left = degree - monomial[i]
            for k in range(left + 1):
                moved = (*monomial[:i], k, *monomial[i + 1 :])
                spread[moved] = spread.get(moved, 0) + coefficient * comb(left, k)
        terms = spread
    return (coefficient for coefficient in terms.values() if coefficient != 0)


def _sign_by_roots(body: fmpq_mpoly, side: int) -> int | None:
    import sympy

    terms = {tuple(map(int, m)): sympy.Rational(int(c.p), int(c.q)) for m, c in body.to_dict().items()}
    poly = sympy.Poly.from_dict(terms, sympy.Symbol("x"))
    inside = poly.count_roots(0, 1) - (poly.eval(0) == 0) - (poly.eval(1) == 0)
    if inside:
        return None
    return side if body(fmpq(1, 2)) > 0 else -side
