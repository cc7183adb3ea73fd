"""Finite sums Σ c·eʳ with rational c and r: exact arithmetic, certified enclosures, signs and logarithms."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

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
        """The same from whole numbers: exponents in units 1/unit, coefficients over a common denominator."""
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
        return ExpSum.of((*self.terms, *_expsum(other).terms))

    def __neg__(self) -> ExpSum:
        return ExpSum(self.exponents, tuple(-c for c in self.coefficients), self.unit, self.denominator)

    def __sub__(self, other: ExpSum | Rational) -> ExpSum:
        return self + -_expsum(other)

    def __rsub__(self, other: Rational) -> ExpSum:
        return -self + other

    def __mul__(self, other: ExpSum | Rational) -> ExpSum:
        other = _expsum(other)
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
        low, high = self.relative_enclosure(60)
        return float((low + high) / 2)

    def __str__(self) -> str:
        shown = ""
        for r, c in self.terms:
            size = "*".join(([str(abs(c))] if abs(c) != 1 or not r else []) + ([f"exp({r})"] if r else []))
            shown += (" - " if c < 0 else " + ") + size if shown else ("-" if c < 0 else "") + size
        return shown or "0"

    def enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals low <= value <= high, at most 2**-bits apart.

        Whole numbers all the way, each rounded outward, so that low and high hold whatever the width; the width is
        looked at afterwards, and the work repeated with more digits until it is small enough.

        >>> low, high = ExpSum.of({1: 1}).enclosure(20)
        >>> low < Fraction(2718281828459046, 10**15) and Fraction(2718281828459045, 10**15) < high
        True
        >>> high - low <= Fraction(1, 2**20)
        True
        """
        if not self.coefficients:
            return Fraction(0), Fraction(0)
        largest = max(0, self.exponents[-1] // self.unit + 1) * 3 // 2
        size = sum(map(abs, self.coefficients)) // self.denominator + 1
        digits = max(bits, 0) + size.bit_length() + largest + len(self.exponents).bit_length() + 8
        while True:
            low, high = self._scaled(digits)
            if (high - low) << max(bits, 0) <= self.denominator << digits:
                scale = self.denominator << digits
                return Fraction(low, scale), Fraction(high, scale)
            digits += digits // 2

    def relative_enclosure(self, bits: int) -> tuple[Fraction, Fraction]:
        """Rationals low <= value <= high of one sign and at most 2**-bits |value| apart; (0, 0) for 0.

        Ends for every sum, since without terms it is 0 and otherwise it is not 0 (see the class).
        """
        digits = bits + 8
        low, high = self.enclosure(digits)
        while (high - low) * 2**bits > min(abs(low), abs(high)) or low < 0 < high:
            digits *= 2
            low, high = self.enclosure(digits)
        return low, high

    @property
    def sign(self) -> int:
        """-1, 0 or 1, certified: 0 for no terms, otherwise read off an enclosure narrow enough to leave out 0.

        >>> ExpSum.of({0: 1, Fraction(1, 10**30): -1}).sign
        -1
        """
        low, high = self.relative_enclosure(1)
        return (high > 0) - (low < 0)

    def _scaled(self, digits: int) -> tuple[int, int]:
        """Bounds of value · denominator · 2**digits.

        Powers are had from the largest exponent downwards, each from the one before: the factors are below 1, so
        that errors add up instead of multiplying.
        """
        low = high = 0
        last = None
        small = large = 0
        for r, c in zip(reversed(self.exponents), reversed(self.coefficients), strict=True):
            if last is None:
                small, large = scaled_exp(r, self.unit, digits)
            else:
                below, above = scaled_exp(r - last, self.unit, digits)
                small, large = small * below >> digits, -(-(large * above) >> digits)
            last = r
            if c > 0:
                low += c * small
                high += c * large
            else:
                low += c * large
                high += c * small
        return low, high


def _expsum(value: ExpSum | Rational) -> ExpSum:
    return value if isinstance(value, ExpSum) else ExpSum.of([(0, value)])


@functools.lru_cache(maxsize=1 << 14)
def scaled_exp(numerator: int, denominator: int, digits: int) -> tuple[int, int]:
    """Whole numbers low <= 2**digits · exp(numerator / denominator) <= high, for a denominator > 0.

    With r = |numerator / denominator|, exp(r/2ʲ) is had from the Taylor series for r/2ʲ <= 2⁻⁸, exp(r) by j squarings
    of the lower bound rounded downwards and of the upper one rounded upwards, and exp(-r) as the reciprocal.

    >>> scaled_exp(1, 1, 10), scaled_exp(-1, 1, 10), scaled_exp(0, 1, 3)
    ((2783, 2784), (376, 377), (8, 8))
    """
    if numerator == 0:
        return 1 << digits, 1 << digits
    size = abs(numerator)
    whole = size // denominator + 1
    if numerator < 0 and whole > digits + 1:
        return 0, 1  # exp(r) < 2**r <= 2**-digits for r <= -digits
    halvings = whole.bit_length() + 8
    # The squarings multiply the relative error by 2**halvings; exp(r) <= 2**(3/2 whole).
    width = digits + halvings + 10 + (3 * whole // 2 if numerator > 0 else 0)
    low, high = scaled_taylor((size << (width - halvings)) // denominator, width)
    for _ in range(halvings):
        low = low * low >> width
        high = -(-(high * high) >> width)
    if numerator < 0:
        low, high = (1 << 2 * width) // high, -(-(1 << 2 * width) // low)
    drop = width - digits
    return low >> drop, -(-high >> drop)


def scaled_taylor(x: int, width: int) -> tuple[int, int]:
    """Whole numbers low <= 2**width · exp(y) <= high for all y in [x, x + 1] / 2**width, where 0 <= x <= 2**(width-8).

    In units u = 2**-width, the terms yᵏ/k! of y = xu are summed, each rounded down from the one before. That errs by
    less than 1.01 u for each, since the error of the one before is multiplied by y/k. The first term that becomes 0 was
    below 1.01 u, and all terms after it come to less than a hundredth of that. So the sum of K terms is at most 2K u
    too small. Going from x to x + 1 adds less than 3 u, for exp(y) (exp(u) - 1) < 1.01 · 2u.

    >>> scaled_taylor(1, 8)
    (257, 264)
    """
    term = low = 1 << width
    count = 0
    while term:
        count += 1
        term = term * x // (count << width)
        low += term
    return low, low + 2 * count + 3


def log_ratio(p: ExpSum, p_: ExpSum) -> float:
    """A float that is at most ln(p/p′), certified and near it; inf where p′ is 0, and -inf where p is.

    A candidate y is taken from floating point, and believed only when exp(y) <= low(p)/high(p′) holds for the upper
    bound of exp(y) in whole numbers; until it does, y is lowered. What floating point did is of no consequence.
    Raises ValueError for p = p′ = 0 or where one is negative.

    >>> one, small = ExpSum.of({0: 1}), ExpSum.of({Fraction(-1, 3): 1})
    >>> log_ratio(one, small) <= 1 / 3 < log_ratio(one, small) + 1e-15
    True
    >>> log_ratio(one, ExpSum()), log_ratio(one, one)
    (inf, 0.0)
    """
    if p.sign < 0 or p_.sign < 0 or not (p or p_):
        raise ValueError("the logarithm of p/p′ is of numbers >= 0 that are not both 0")
    if not p or not p_:
        return math.inf if p else -math.inf
    ratio = p.relative_enclosure(80)[0] / p_.relative_enclosure(80)[1]
    return log_below(ratio) if p != p_ else 0.0


def log_below(ratio: Fraction) -> float:
    """A float that is at most ln(ratio), certified and near it, for a ratio > 0.

    >>> log_below(Fraction(1)), 0.6931471805599450 < log_below(Fraction(2)) <= 0.6931471805599453
    (0.0, True)
    """
    if ratio == 1:
        return 0.0
    if abs(ratio - 1) < Fraction(1, 2):
        guess = math.log1p(float(ratio - 1))
    elif 2**-1000 < ratio < 2**1000:
        guess = math.log(ratio)
    else:
        guess = math.log(ratio.numerator) - math.log(ratio.denominator)
    step = max(math.ulp(guess), 2.0**-300)
    value = guess
    while not _exp_at_most(value, ratio):
        value = guess - step
        step *= 2
    return value


def _exp_at_most(y: float, ratio: Fraction) -> bool:
    """Whether exp(y) <= ratio for certain; may say no where they are nearer than floats can tell."""
    exponent = Fraction(y)
    digits = 80 + 2 * int(abs(y)) + exponent.denominator.bit_length()
    return scaled_exp(exponent.numerator, exponent.denominator, digits)[1] * ratio.denominator <= (
        ratio.numerator << digits
    )
