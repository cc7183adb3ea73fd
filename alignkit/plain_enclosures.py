"""Certified bounds on logarithms, roots and exponentials in whole numbers and fractions, for a reader to audit.

Proofs, replays and releases rest on these. Laws and attacks have flint's enclosures instead (in ``arithmetic``),
and tests hold the two against each other.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

# Roots and the arguments of logarithms are rounded outwards to multiples of 1/_UNIT.
_UNIT = 10**30

# The series below is summed until its terms are smaller than this.
_PRECISION = Fraction(1, 10**24)


def log_bounds(value: Fraction | int) -> tuple[Fraction, Fraction]:
    """Numbers below and above the logarithm of a positive number, closer together than 10**-20 or so.

    >>> low, high = log_bounds(2)
    >>> float(low), high - low < Fraction(1, 10**20)
    (0.6931471805599453, True)
    """
    x = Fraction(value)
    if x <= 0:
        raise ValueError(f"the logarithm of {x}")
    if x == 1:
        return Fraction(0), Fraction(0)
    if x < 1:
        low, high = log_bounds(1 / x)
        return -high, -low
    doublings = x.numerator.bit_length() - x.denominator.bit_length()  # at least 0, because x > 1
    low, high = _series(x / 2**doublings)
    low2, high2 = _series(Fraction(2))
    return low + doublings * low2, high + doublings * high2


def root_bounds(value: Fraction | int) -> tuple[Fraction, Fraction]:
    """Numbers below and above the square root of a number that is not negative, 10**-30 apart.

    >>> low, high = root_bounds(2)
    >>> low**2 < 2 < high**2, high - low
    (True, Fraction(1, 1000000000000000000000000000000))
    """
    root = isqrt(value.numerator * _UNIT**2 // value.denominator)
    return Fraction(root, _UNIT), Fraction(root + 1, _UNIT)


def exp_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Whole numbers around 2^bits · e^(−x), for x >= 0.

    The alternating series at x / 2^m <= 1/2, summed with every term rounded outwards, then squared m times.

    >>> low, high = exp_bounds(Fraction(1, 2), 64)
    >>> high - low <= 2, round(low / 2**64, 9)
    (True, 0.60653066)
    """
    if x >= bits:  # e^(-x) < 2^(-bits)
        return 0, 1
    halvings = max(0, (-(-x.numerator // x.denominator)).bit_length() + 1)
    work = bits + 2 * halvings + 16
    argument = (x.numerator << work) // (x.denominator << halvings)
    low = high = term_low = term_high = 1 << work
    for i in range(1, work):
        # x / 2^m lies between argument and argument + 1, in units of 2^-work.
        term_low = (term_low * argument >> work) // i
        term_high = -(-_up(term_high * (argument + 1), work) // i)
        if i % 2:
            low, high = low - term_high, high - term_low
        else:
            low, high = low + term_low, high + term_high
        if term_high <= 2:
            break
    low, high = max(0, low - 2), high + 2  # the rest of the series is less than its next term
    for _ in range(halvings):
        low, high = low * low >> work, _up(high * high, work)
    return low >> (work - bits), _up(high, work - bits)


def _series(x: Fraction) -> tuple[Fraction, Fraction]:
    """ln x = 2 (z + z³/3 + z⁵/5 + …) with z = (x - 1)/(x + 1); what is left is less than a geometric series."""
    low, high = _rounded((x - 1) / (x + 1))
    return _sum(low)[0], _sum(high)[1]


def _rounded(z: Fraction) -> tuple[Fraction, Fraction]:
    """Numbers of few digits below and above, so that powers stay short."""
    floor = z.numerator * _UNIT // z.denominator
    return Fraction(floor, _UNIT), Fraction(floor + 1, _UNIT)


def _sum(z: Fraction) -> tuple[Fraction, Fraction]:
    total, power, odd = Fraction(0), z, 1
    while abs(power) > _PRECISION:
        total += power / odd
        power *= z * z
        odd += 2
    left = abs(power) / (1 - z * z)
    return _rounded(2 * (total - left))[0], _rounded(2 * (total + left))[1]


def _up(value: int, bits: int) -> int:
    """value / 2^bits, rounded up."""
    return -(-value >> bits)
