"""Finite sums Σ c·eʳ with rational c and r: exact arithmetic, certified enclosures and signs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from alignkit.arithmetic.enclosures import close_ends

Rational = int | Fraction


@dataclass(frozen=True)
class ExpSum:
    """The number Σⱼ (coefficients[j] / denominator) · exp(exponents[j] / unit), exactly; made by `of`.

    Kept in one form only: exponents increase, no coefficient is 0, and neither fraction can be reduced for all j
    together. So equal forms are equal numbers, and by the theorem of Lindemann and Weierstrass the converse holds
    too: exponentials of distinct rationals are linearly independent over the rationals. In particular the number is
    0 only if there are no terms, `==` decides equality of the numbers, and `sign` ends.

    >>> half = ExpSum.of({0: Fraction(1, 2)})
    >>> x = half - ExpSum.of({-1: Fraction(1, 3)})
    >>> print(x * x)
    1/9*exp(-2) - 1/3*exp(-1) + 1/4
    >>> x * x - x * x == 0 * x == ExpSum(), x.sign, f"{float(x):.12f}"
    (True, 1, '0.377373519610')
    """

    exponents: tuple[int, ...] = ()
    coefficients: tuple[int, ...] = ()
    unit: int = 1
    denominator: int = 1

    @classmethod
    def of(cls, terms: Mapping[Rational, Rational] | Iterable[tuple[Rational, Rational]]) -> ExpSum:
        """The sum of coefficient · e**exponent over pairs exponent, coefficient.

        >>> ExpSum.of([(0, 1), (Fraction(1, 2), 3), (0, -1)])
        ExpSum(exponents=(1,), coefficients=(3,), unit=2, denominator=1)
        """
        pairs = list(terms.items() if isinstance(terms, Mapping) else terms)
        unit = math.lcm(*(r.denominator for r, _ in pairs))
        denominator = math.lcm(*(c.denominator for _, c in pairs))
        sums: dict[int, int] = {}
        for r, c in pairs:
            key = r.numerator * (unit // r.denominator)
            sums[key] = sums.get(key, 0) + c.numerator * (denominator // c.denominator)
        return cls.over(sums, unit, denominator)

    @classmethod
    def over(cls, terms: Mapping[int, int], unit: int, denominator: int) -> ExpSum:
        """The sum of terms in whole numbers: exponents in units 1/unit, coefficients over a common denominator."""
        kept = sorted(item for item in terms.items() if item[1])
        shrink = math.gcd(unit, *(r for r, _ in kept))
        divide = math.gcd(denominator, *(c for _, c in kept))
        return cls(
            tuple(r // shrink for r, _ in kept),
            tuple(c // divide for _, c in kept),
            unit // shrink,
            denominator // divide,
        )

    @property
    def terms(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Pairs exponent, coefficient, by increasing exponent."""
        return tuple(
            (Fraction(r, self.unit), Fraction(c, self.denominator))
            for r, c in zip(self.exponents, self.coefficients, strict=True)
        )

    def __add__(self, other: ExpSum | Rational) -> ExpSum:
        return ExpSum.of((*self.terms, *as_expsum(other).terms))

    def __neg__(self) -> ExpSum:
        return ExpSum(self.exponents, tuple(-c for c in self.coefficients), self.unit, self.denominator)

    def __sub__(self, other: ExpSum | Rational) -> ExpSum:
        return self + -as_expsum(other)

    def __rsub__(self, other: Rational) -> ExpSum:
        return -self + other

    def __mul__(self, other: ExpSum | Rational) -> ExpSum:
        other = as_expsum(other)
        unit = math.lcm(self.unit, other.unit)
        m, n = unit // self.unit, unit // other.unit
        sums: dict[int, int] = {}
        for r, c in zip(self.exponents, self.coefficients, strict=True):
            for s, d in zip(other.exponents, other.coefficients, strict=True):
                sums[m * r + n * s] = sums.get(m * r + n * s, 0) + c * d
        return ExpSum.over(sums, unit, self.denominator * other.denominator)

    __radd__ = __add__
    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return bool(self.coefficients)

    def __float__(self) -> float:
        """The float nearest to a value within a relative error of 2**-60."""
        if not self:
            return 0.0
        low, high = self.enclosure(60)
        return float((low + high) / 2)

    def __str__(self) -> str:
        shown = ""
        for r, c in self.terms:
            size = "*".join(([str(abs(c))] if abs(c) != 1 or not r else []) + ([f"exp({r})"] if r else []))
            shown += (" - " if c < 0 else " + ") + size if shown else ("-" if c < 0 else "") + size
        return shown or "0"

    def ball(self) -> arb:
        """The number in a ball, at flint's present precision."""
        total = arb(0)
        for r, c in zip(self.exponents, self.coefficients, strict=True):
            total += arb(fmpq(r, self.unit)).exp() * c
        return total / self.denominator

    def enclosure(self, bits: int = 80) -> tuple[Fraction, Fraction]:
        """Rationals low <= value <= high of one sign and at most 2**-bits |value| apart; (0, 0) for 0.

        Ends for every sum, since without terms it is 0 and otherwise it is not 0 (see the class).

        >>> low, high = ExpSum.of({1: 1}).enclosure(20)
        >>> low < Fraction(2718281828459046, 10**15) and Fraction(2718281828459045, 10**15) < high
        True
        """
        return close_ends(self.ball, bits) if self else (Fraction(0), Fraction(0))

    @property
    def sign(self) -> int:
        """-1, 0 or 1, certified: 0 for no terms, otherwise read off an enclosure narrow enough to leave out 0.

        >>> ExpSum.of({0: 1, Fraction(1, 10**30): -1}).sign
        -1
        """
        low, high = self.enclosure(1)
        return (high > 0) - (low < 0)


def as_expsum(value: ExpSum | Rational) -> ExpSum:
    """A rational number as a sum; a sum as it is."""
    return value if isinstance(value, ExpSum) else ExpSum.of([(0, value)])
