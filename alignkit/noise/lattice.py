"""Multiples of a lattice: which numbers they are, and how counts become them."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def is_multiple(x: Any, lattice: Any) -> bool:
    """Whether x is an integer times the lattice.

    An int or a Fraction is judged exactly. A float counts as a multiple if it is the float nearest to one,
    for few multiples of a float are themselves floats.

    >>> is_multiple(Fraction(2, 3), Fraction(1, 3)), is_multiple(Fraction(1, 2), Fraction(1, 3))
    (True, False)
    >>> is_multiple(3 * 0.1, 0.1), is_multiple(0.35, 0.1)
    (True, False)
    """
    step = Fraction(lattice)
    if not isinstance(x, float):
        return Fraction(x) % step == 0
    if not math.isfinite(x):
        return False
    count = round(Fraction(x) / step)
    return float(count * step) == x


def exact_multiple(x: float, lattice: Any) -> Fraction | int:
    """The multiple of the lattice that is nearest to a float.

    >>> exact_multiple(0.3, Fraction(1, 10))
    Fraction(3, 10)
    """
    multiple = round(Fraction(x) / Fraction(lattice)) * Fraction(lattice)
    return multiple if multiple.denominator != 1 else int(multiple)


def multiples(counts: Any, lattice: Any) -> Any:
    """counts * lattice, in the lattice's own type: int, float (rounded once) or exact Fraction.

    One count (an int or a numpy integer) gives a Python number. An array gives an array of int64, float64 or,
    for a Fraction, of objects: make the lattice a float where speed matters more than exactness.

    >>> multiples(3, Fraction(1, 2))
    Fraction(3, 2)
    >>> import numpy as np
    >>> multiples(np.array([0, 3]), 2)
    array([0, 6])
    """
    return int(counts) * lattice if isinstance(counts, Integral) else counts * lattice


def geometric_counts(rng: np.random.Generator, scale: Any, lattice: Any, size: Any = None) -> Any:
    """Numbers of failures before the first success, where a success has probability 1 - exp(-lattice/scale).

    numpy counts trials, from 1. Its inversion can yield 0 trials (an exponential draw of exactly 0.0), hence
    the maximum: without it such a draw would leave the support.
    """
    success = -math.expm1(-lattice / scale)
    if size is None:
        return max(rng.geometric(success), 1) - 1
    return rng.geometric(success, size).clip(1) - 1
