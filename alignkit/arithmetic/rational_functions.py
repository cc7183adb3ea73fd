"""Rational functions of the symbolic bases: what probabilities and weights are here.

A ratio is a polynomial times factors, which are polynomials to whole powers, below 0 too. Products and quotients only
collect factors; a sum multiplies out what its terms do not share. Whether a ratio is 0 is whether its polynomial is,
so that equality is decided exactly, and no greatest common divisor is needed.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb

from alignkit.arithmetic.laurent_polynomials import LaurentPolynomial
from alignkit.errors import Unsupported
from alignkit.interpreting.operations import COMPARE

Factors = Mapping[LaurentPolynomial, int]


@dataclass(frozen=True, eq=False)
class RationalFunction:
    """A number that depends on the symbolic bases, each of which may be any number strictly between 0 and 1.

    >>> b = RationalFunction(LaurentPolynomial.of({(1,): 1}, 1))
    >>> (1 - b * b) / (1 + b) == 1 - b
    True
    """

    polynomial: LaurentPolynomial
    factors: Factors = field(default_factory=dict)

    def lift(self, other: Any) -> RationalFunction:
        """A number as one of this kind."""
        if isinstance(other, RationalFunction):
            return other
        if isinstance(other, float) or not isinstance(other, int | Fraction):
            raise Unsupported(f"{other!r}, combined with a probability, is not an exact number")
        return RationalFunction(self.polynomial.constant(other))

    @property
    def form(self) -> tuple[LaurentPolynomial, frozenset[tuple[LaurentPolynomial, int]]]:
        """A key for look-ups: how the number is written. Numbers of one form are equal; equal numbers may have two."""
        return self.polynomial, frozenset(self.factors.items())

    @property
    def is_zero(self) -> bool:
        return not self.polynomial

    @property
    def largest_exponent(self) -> int:
        """The largest exponent of a base in any of its polynomials, by its absolute value."""
        return max(polynomial.largest_exponent for polynomial in (self.polynomial, *self.factors))

    def factored(self) -> RationalFunction:
        """The same number with one term as its polynomial."""
        if self.polynomial.single:
            return self
        term, factor = self.polynomial.normal()
        return RationalFunction(term, _times(self.factors, {factor: 1}))

    def __mul__(self, other: Any) -> RationalFunction:
        one, two = self.factored(), self.lift(other).factored()
        if one.is_zero or two.is_zero:
            return self.lift(0)
        return RationalFunction(one.polynomial * two.polynomial, _times(one.factors, two.factors))

    __rmul__ = __mul__

    def inverse(self) -> RationalFunction:
        """1 / self."""
        one = self.factored()
        if one.is_zero:
            raise ZeroDivisionError("a division by a probability of 0")
        return RationalFunction(one.polynomial**-1, {factor: -power for factor, power in one.factors.items()})

    def __truediv__(self, other: Any) -> RationalFunction:
        return self * self.lift(other).inverse()

    def __rtruediv__(self, other: Any) -> RationalFunction:
        return self.lift(other) * self.inverse()

    def __add__(self, other: Any) -> RationalFunction:
        right = self.lift(other)
        if self.factors == right.factors:
            result = self.polynomial + right.polynomial
            return RationalFunction(result, self.factors) if result else RationalFunction(result)
        return add_all([self, right])

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.polynomial, self.factors)

    def __sub__(self, other: Any) -> RationalFunction:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> RationalFunction:
        return self.lift(other) + -self

    def power(self, exponent: int) -> RationalFunction:
        """To a whole power."""
        if exponent == 0:
            return self.lift(1)
        one = self.factored() if exponent > 0 else self.inverse()
        times = abs(exponent)
        return RationalFunction(one.polynomial**times, {factor: power * times for factor, power in one.factors.items()})

    def __abs__(self) -> RationalFunction:
        return -self if self.compare("<", 0) else self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RationalFunction | int | Fraction):
            return NotImplemented
        return (self - other).is_zero

    __hash__ = None  # type: ignore[assignment]

    def sign(self) -> int | None:
        """1, -1 or 0 where that is the sign for all bases; None where that was not shown."""
        sign = self.polynomial.sign()
        for factor, power in self.factors.items():
            other = factor.sign() if power % 2 and sign else 1
            if sign is None or other is None:
                return None
            sign *= other
        return sign

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` for all bases; Unsupported where that depends on them, or was not shown."""
        difference = self - other
        if symbol in ("==", "!=") and difference.is_zero:
            return symbol == "=="
        sign = difference.sign()
        if sign is None:
            raise Unsupported("a comparison of two probabilities may depend on the base")
        return COMPARE[symbol](sign, 0)

    def at(self, bases: tuple[Fraction, ...]) -> Fraction:
        """The value where the bases are these numbers."""
        value = self.polynomial.at(bases)
        for factor, power in self.factors.items():
            value *= factor.at(bases) ** power
        return value

    def ball(self, bases: Sequence[arb]) -> arb:
        """The value for bases that are known as balls, at flint's present precision; endless where that is too low."""
        value = self.polynomial.ball(bases)
        for factor, power in self.factors.items():
            value *= factor.ball(bases) ** power
        return value


def add_all(ratios: Iterable[RationalFunction]) -> RationalFunction:
    """The sum of one or more ratios."""
    by_factors: dict[frozenset[tuple[LaurentPolynomial, int]], list[RationalFunction]] = {}
    for ratio in ratios:
        by_factors.setdefault(frozenset(ratio.factors.items()), []).append(ratio)
    merged = [
        RationalFunction(functools.reduce(operator.add, (ratio.polynomial for ratio in same)), same[0].factors)
        for same in by_factors.values()
    ]
    live = [ratio for ratio in merged if not ratio.is_zero]
    if not live:
        return RationalFunction(merged[0].polynomial)
    shared = _shared([ratio.factors for ratio in live])
    result = live[0].polynomial.constant(0)
    for ratio in live:
        polynomial = ratio.polynomial
        for factor in ratio.factors.keys() | shared.keys():
            polynomial = polynomial * factor ** (ratio.factors.get(factor, 0) - shared.get(factor, 0))
        result = result + polynomial
    return RationalFunction(result, shared) if result else RationalFunction(result)


def _shared(all_factors: list[Factors]) -> Factors:
    """The lowest power of every factor."""
    names = set().union(*all_factors)
    lowest = {factor: min(factors.get(factor, 0) for factors in all_factors) for factor in names}
    return {factor: power for factor, power in lowest.items() if power}


def _times(one: Factors, other: Factors) -> Factors:
    result = dict(one)
    for factor, power in other.items():
        result[factor] = result.get(factor, 0) + power
        if not result[factor]:
            del result[factor]
    return result
