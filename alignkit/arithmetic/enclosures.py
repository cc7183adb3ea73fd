"""Certified enclosures by flint's ball arithmetic: every result holds the number that it stands for.

A ball (flint's ``arb``) is a midpoint and a radius. All operations round outwards, so that a ball is right whatever the
precision; the precision decides only how narrow it is, which is looked at afterwards. That matters because flint keeps
the precision in one global place for all threads: `precision` sets it, holds other threads of this package off
meanwhile, and gives it back. A thread that uses flint on its own could make a ball wider, never wrong.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction

import flint

_LOCK = threading.RLock()

# A number with more binary places before or after the point is not made a fraction: it would take long.
_MOST_EXPONENT = 10**7


class NotCloseEnough(ArithmeticError):
    """A number would take more digits than are allowed."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with so many bits within the block, and restore the caller's precision afterwards."""
    with _LOCK, flint.ctx.workprec(bits):
        yield


def ball(number: Fraction | int) -> flint.arb:
    """A rational number as a ball, as narrow as the present precision allows.

    >>> with precision(80):
    ...     ball(Fraction(1, 2)) == 0.5, ball(Fraction(1, 3)).overlaps(ball(1) / 3)
    (True, True)
    """
    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def ends(enclosed: flint.arb) -> tuple[Fraction, Fraction]:
    """Rational numbers that the number in a ball is not below, and not above.

    Raises ValueError for an endless ball, and NotCloseEnough for a number of millions of digits.
    """
    return _exact(enclosed.lower()), _exact(enclosed.upper())


def _exact(point: flint.arb) -> Fraction:
    mantissa, exponent = map(int, point.man_exp())
    if abs(exponent) > _MOST_EXPONENT:
        raise NotCloseEnough("a number is too small or too large to write down")
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


def close_ends(
    compute: Callable[[], flint.arb], bits: int, most: int | None = None
) -> tuple[Fraction, Fraction]:
    """Rational ends of one sign around a number that is not 0, at most 2**-bits of its size apart.

    ``compute`` gives the number's ball at the present precision, which is doubled until the ball is narrow enough.
    Raises NotCloseEnough where that would take more than ``most`` bits, or the number has millions of digits; without
    ``most`` it does not end for 0.

    >>> low, high = close_ends(lambda: ball(1).exp(), 20)
    >>> low < Fraction(271828182845904524, 10**17) < high, (high - low) * 2**20 <= low
    (True, True)
    """
    digits = bits + 32
    while True:
        with precision(digits):
            low, high = ends(enclosed) if (enclosed := compute()).is_finite() else (Fraction(-1), Fraction(1))
        if (low > 0 or high < 0) and (high - low) * 2**bits <= min(abs(low), abs(high)):
            return low, high
        digits *= 2
        if most is not None and digits > most:
            raise NotCloseEnough(f"{most} bits are not enough")


def float_below(number: Fraction) -> float:
    """The largest float that is at most a rational number.

    >>> float_below(Fraction(1, 10)) == math.nextafter(0.1, 0), float_below(Fraction(1, 2))
    (True, 0.5)
    """
    try:
        nearest = float(number)
    except OverflowError:
        nearest = math.inf if number > 0 else -math.inf
    return nearest if nearest <= number else math.nextafter(nearest, -math.inf)


def float_above(number: Fraction) -> float:
    """The smallest float that is at least a rational number."""
    return 0.0 - float_below(-number)


def log_below(ratio: Fraction) -> float:
    """The largest float that is certified to be at most ln(ratio). Raises ValueError for a ratio that is not above 0.

    >>> log_below(Fraction(1)), 0.6931471805599450 < log_below(Fraction(2)) <= 0.6931471805599453
    (0.0, True)
    """
    if ratio <= 0:
        raise ValueError(f"the logarithm of {ratio}")
    if ratio == 1:
        return 0.0
    return float_below(close_ends(lambda: ball(ratio).log(), 80)[0])
