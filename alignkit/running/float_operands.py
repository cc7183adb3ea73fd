"""Exact numbers as floats, where they meet floats: converted once, and not at every operation."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any


def as_float(value: Any) -> Any:
    """A Fraction as the float that Python converts it to where it is added to a float; anything else as it is.

    >>> as_float(Fraction(1, 3)), as_float(2)
    (0.3333333333333333, 2)
    """
    return float(value) if type(value) is Fraction else value


def ceiling(value: Any) -> Any:
    """The least float that is not below a Fraction: for a float x, x >= value and x < value are decided by it.

    >>> ceiling(Fraction(1, 3)) > Fraction(1, 3) > math.nextafter(ceiling(Fraction(1, 3)), 0)
    True
    """
    if type(value) is not Fraction:
        return value
    number = float(value)
    return number if number >= value else math.nextafter(number, math.inf)


def floor(value: Any) -> Any:
    """The greatest float that is not above a Fraction: for a float x, x > value and x <= value are decided by it.

    >>> floor(Fraction(1, 3)) < Fraction(1, 3) < math.nextafter(floor(Fraction(1, 3)), 1)
    True
    """
    if type(value) is not Fraction:
        return value
    number = float(value)
    return number if number <= value else math.nextafter(number, -math.inf)
