"""Claims with roots and logarithms in exact arithmetic: numbers enclosed between two fractions.

A cost is held to be above such a claim only where it is above everything that the claim may be.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.interpreting.context import Context
from alignkit.plain_enclosures import exp_bounds, log_bounds, root_bounds

# Exponents are at most so far from 0: beyond, exponentials have too many digits.
_FARTHEST = 4000


class Unsettled(Exception):
    """Raised where the enclosures of two numbers are too wide to compare them."""


@dataclass(frozen=True)
class Enclosed:
    """A number between two fractions."""

    low: Fraction
    high: Fraction

    @staticmethod
    def of(value: Any) -> Enclosed:
        """A number as an enclosed one; Unsettled for a float."""
        if isinstance(value, Enclosed):
            return value
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise Unsettled(f"{value!r} is not exact")
        return Enclosed(Fraction(value), Fraction(value))

    def __add__(self, other: Any) -> Enclosed:
        right = Enclosed.of(other)
        return Enclosed(self.low + right.low, self.high + right.high)

    __radd__ = __add__

    def __neg__(self) -> Enclosed:
        return Enclosed(-self.high, -self.low)

    def __sub__(self, other: Any) -> Enclosed:
        right = Enclosed.of(other)
        return Enclosed(self.low - right.high, self.high - right.low)

    def __rsub__(self, other: Any) -> Enclosed:
        return Enclosed.of(other) + -self

    def __mul__(self, other: Any) -> Enclosed:
        right = Enclosed.of(other)
        if right.low == right.high:  # the usual case, in which each end is one product
            low, high = self.low * right.low, self.high * right.low
            return Enclosed(low, high) if low <= high else Enclosed(high, low)
        corners = [a * b for a in (self.low, self.high) for b in (right.low, right.high)]
        return Enclosed(min(corners), max(corners))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Enclosed:
        right = Enclosed.of(other)
        if right.low <= 0 <= right.high:
            raise Unsettled("a divisor may be 0")
        return self * Enclosed(1 / right.high, 1 / right.low)

    def __rtruediv__(self, other: Any) -> Enclosed:
        return Enclosed.of(other) / self

    def power(self, exponent: int) -> Enclosed:
        raise Unsettled("a power is not enclosed")

    def exp(self) -> Enclosed:
        return Enclosed(_exponential(self.low)[0], _exponential(self.high)[1])

    def __abs__(self) -> Enclosed:
        return -self if self.compare("<", 0) else self

    def compare(self, relation: str, other: Any) -> bool:
        """Whether ``self relation other``; Unsettled where that is not known."""
        right = Enclosed.of(other)
        if relation in (">", ">="):
            return right.compare("<" if relation == ">" else "<=", self)
        if relation in ("==", "!="):
            if self.high < right.low or right.high < self.low:
                return relation == "!="
            if self.low == self.high == right.low == right.high:
                return relation == "=="
            raise Unsettled("two numbers may be equal")
        if self.high < right.low or (relation == "<=" and self.high <= right.low):
            return True
        if self.low > right.high or (relation == "<" and self.low >= right.high):
            return False
        raise Unsettled("which of two numbers is larger is not known")


class EnclosingContext(Context):
    """Evaluates an expression of exact numbers to an enclosed one."""

    def special(self, function: str, value: Any) -> Any:
        if function not in _SPECIAL:
            raise Unsettled(f"{function} is not enclosed")
        return _SPECIAL[function](Enclosed.of(value))


class ExponentialsToo(EnclosingContext):
    """Encloses exponentials too, which deltas are made of."""

    def special(self, function: str, value: Any) -> Any:
        return Enclosed.of(value).exp() if function == "exp" else super().special(function, value)


def _exponential(exponent: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers below and above e^exponent, closer together than 2**-90 times that."""
    if not exponent:
        return Fraction(1), Fraction(1)
    if abs(exponent) > _FARTHEST:
        raise Unsettled("an exponential is too large or too small to be enclosed")
    bits = 100 + 2 * math.ceil(abs(exponent))
    low, high = exp_bounds(abs(exponent), bits)
    return (Fraction(low, 2**bits), Fraction(high, 2**bits)) if exponent < 0 else (
        Fraction(2**bits, high), Fraction(2**bits, low)
    )


def _root(value: Enclosed) -> Enclosed:
    if value.low < 0:
        raise Unsettled("a root of what may be below 0")
    return Enclosed(root_bounds(value.low)[0], root_bounds(value.high)[1])


def _logarithm(value: Enclosed) -> Enclosed:
    if value.low <= 0:
        raise Unsettled("a logarithm of what may be 0")
    return Enclosed(log_bounds(value.low)[0], log_bounds(value.high)[1])


def _rounded(to: Callable[[Any], int], value: Enclosed) -> Enclosed:
    """A whole number that rises with the value, if it is the same at both ends."""
    low, high = to(value.low), to(value.high)
    if low != high:
        raise Unsettled("which whole number is nearest is not known")
    return Enclosed.of(low)


_SPECIAL: dict[str, Callable[[Enclosed], Enclosed]] = {
    "sqrt": _root,
    "log": _logarithm,
    "round": functools.partial(_rounded, round),
    "floor": functools.partial(_rounded, math.floor),
    "ceil": functools.partial(_rounded, math.ceil),
}


def enclosed_above(
    evaluate: Callable[[Context], Any], context: type[EnclosingContext] = EnclosingContext
) -> Fraction | None:
    """An upper bound on the value that ``evaluate`` gives in a context; None where no bound is known."""
    try:
        return Enclosed.of(evaluate(context({}))).high
    except Unsettled:
        return None
