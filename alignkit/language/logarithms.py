"""Bounds on natural logarithms, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

# The series below is summed until its terms are smaller than this.
_PRECISION = Fraction(1, 10**24)


def enclosure(value: Fraction | int) -> tuple[Fraction, Fraction]:
    """Numbers below and above the logarithm of a positive number, closer together than 10**-20 or so.

    >>> low, high = enclosure(2)
    >>> float(low), high - low < Fraction(1, 10**20)
    (0.6931471805599453, True)
    """
    x = Fraction(value)
    if x <= 0:
        raise ValueError(f"the logarithm of {x}")
    if x == 1:
        return Fraction(0), Fraction(0)
    if x < 1:
        low, high = enclosure(1 / x)
        return -high, -low
    doubled = x.numerator.bit_length() - x.denominator.bit_length()
    rest = x / Fraction(2) ** doubled
    low, high = _series(rest)
    low2, high2 = _series(Fraction(2))
    return (low + doubled * low2, high + doubled * high2) if doubled >= 0 else (
        low + doubled * high2, high + doubled * low2)  # fmt: skip


def _series(x: Fraction) -> tuple[Fraction, Fraction]:
    """ln x = 2 (z + z³/3 + z⁵/5 + …) with z = (x - 1)/(x + 1); what is left is less than a geometric series."""
    z = _rounded((x - 1) / (x + 1))
    below = _sum(z[0])
    above = _sum(z[1])
    return below[0], above[1]


def _rounded(z: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers of few digits below and above, so that powers stay short."""
    unit = 10**30
    floor = z.numerator * unit // z.denominator
    return Fraction(floor, unit), Fraction(floor + 1, unit)


def _sum(z: Fraction) -> tuple[Fraction, Fraction]:
    total, power, odd = Fraction(0), z, 1
    while abs(power) > _PRECISION:
        total += power / odd
        power *= z * z
        odd += 2
    left = abs(power) / (1 - z * z)
    return _rounded(2 * (total - left))[0], _rounded(2 * (total + left))[1]
