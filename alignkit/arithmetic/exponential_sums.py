"""Finite sums Σ c·eʳ with rational c and r: exact arithmetic, certified enclosures and signs.

One piece of a piecewise function: Σ c · eʳ · xᵈ · e^{ax} in whole numbers, and what can be done to it.

A piece maps (a, d) to the coefficient of xᵈ e^{ax}, and a coefficient maps r to c. Both r and a count in units 1/unit
and c over a denominator; unit and denominator are those of the function the piece belongs to (see `piecewise`).
Whole numbers in dicts: the pieces are short, and polynomials of flint take three times as long to make and take apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq

from alignkit.arithmetic.enclosures import close_ends

Number = int | Fraction
Coefficient = dict[int, int]
Piece = dict[tuple[int, int], Coefficient]


def as_whole(x: Number) -> Number:
    """The same number, as an int where it is one: what follows is then done in ints.

    >>> as_whole(Fraction(4, 2)), as_whole(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return x.numerator if x.denominator == 1 else x


def rational_quotient(x: Number, y: Number) -> Number:
    """x / y, as an int where it is one."""
    return x * y if y in (1, -1) else as_whole(Fraction(x) / y)


def add_to(total: Coefficient, terms: Coefficient, factor: int = 1, shift: int = 0) -> None:
    """Add factor · e**shift · terms to a total, in place."""
    for r, c in terms.items():
        total[r + shift] = total.get(r + shift, 0) + factor * c


def cleared(piece: Piece) -> Piece:
    """Without terms whose coefficient is 0."""
    kept = ((key, {r: c for r, c in terms.items() if c}) for key, terms in piece.items())
    return {key: terms for key, terms in kept if terms}


def product(f: Piece, g: Piece) -> Piece:
    """f · g.

    >>> product({(1, 0): {0: 2}}, {(1, 0): {5: 1}, (0, 1): {0: 3}})
    {(2, 0): {5: 2}, (1, 1): {0: 6}}
    """
    result: Piece = {}
    for (a, d), terms in f.items():
        for (b, e), others in g.items():
            total = result.setdefault((a + b, d + e), {})
            if len(terms) < len(others):
                few, many = terms, others
            else:
                few, many = others, terms
            for shift, factor in few.items():
                add_to(total, many, factor, shift)
    return cleared(result)


def subtracted(f: Piece, g: Piece) -> Piece:
    """f - g, of one unit and denominator."""
    result = {key: dict(terms) for key, terms in f.items()}
    for key, terms in g.items():
        add_to(result.setdefault(key, {}), terms, -1)
    return cleared(result)


def multiplied(piece: Piece, factor: int) -> Piece:
    """The piece with every coefficient multiplied."""
    if factor == 1:
        return piece
    return {key: {r: c * factor for r, c in terms.items()} for key, terms in piece.items()}


def in_finer_units(piece: Piece, factor: int) -> Piece:
    """The same function, its unit multiplied by a factor."""
    return {(a * factor, d): {r * factor: c for r, c in terms.items()} for (a, d), terms in piece.items()}


def degree(pieces: Iterable[Piece]) -> int:
    """The largest power of x."""
    return max((d for piece in pieces for _, d in piece), default=0)


def at(piece: Piece, x: Number, clear: int) -> Coefficient:
    """clear · piece(x); the unit must make every rate times x whole, and `clear` every power of x.

    The rates are whole numbers of units, so an x with denominator m asks for a unit divisible by m.
    """
    total: Coefficient = {}
    for (a, d), terms in piece.items():
        add_to(total, terms, _int(clear * x**d) if d else clear, _int(a * x))
    return {r: c for r, c in total.items() if c}


def after(piece: Piece, slope: Number, shift: Number, clear: int) -> Piece:
    """clear · piece(slope · x + shift), by the binomial theorem; unit and `clear` as for `at`."""
    if slope == 1 and clear == 1 and not shift:
        return piece
    result: Piece = {}
    for (a, d), terms in piece.items():
        rate, grow = _int(a * slope), _int(a * shift)
        for i in range(d + 1):
            factor = _int(clear * math.comb(d, i) * slope**i * shift ** (d - i)) if d else clear
            if factor:
                add_to(result.setdefault((rate, i), {}), terms, factor, grow)
    return cleared(result)


def antiderivative(piece: Piece, unit: int, clear: int) -> Piece:
    """clear · F with F′ = piece, F without a constant term; `clear` as `clearing` gives it.

    For a ≠ 0 and with a now in units of x: ∫ xᵈ e^{ax} dx = e^{ax} Σᵢ (-1)^{d-i} d!/i! xⁱ / a^{d-i+1}, which is
    checked by differentiating: all terms but i = d cancel in pairs. For a = 0 it is x^{d+1}/(d+1).
    """
    result: Piece = {}
    for (a, d), terms in piece.items():
        if a == 0:
            add_to(result.setdefault((0, d + 1), {}), terms, clear // (d + 1))
            continue
        if d == 0:
            add_to(result.setdefault((a, 0), {}), terms, clear * unit // a)
            continue
        inverse = Fraction(unit, a)
        factor = clear * inverse
        for i in range(d, -1, -1):
            add_to(result.setdefault((a, i), {}), terms, _int(factor))
            factor *= -i * inverse
    return cleared(result)


def clearing(pieces: Iterable[Piece], unit: int) -> int:
    """A whole number that clears the denominators of the antiderivatives of all pieces."""
    keys = {key for piece in pieces for key in piece}
    return math.lcm(*((a // math.gcd(a, unit)) ** (d + 1) if a else d + 1 for a, d in keys))


def _int(x: Number) -> int:
    if x.denominator != 1:
        raise ArithmeticError(f"{x} should have been whole")
    return x.numerator


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
