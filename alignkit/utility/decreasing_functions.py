"""Where a decreasing function on the reals comes down to a level, for many functions at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alignkit.utility.real_arrays import Floats

# Beyond so many units, differences of logarithms are mostly rounding.
_FARTHEST = 2.0**30
_HALVINGS = 64


def last_at_least(function: Callable[[Floats], Floats], level: Floats, unit: Floats) -> Floats:
    """The largest z with function(z) ≥ level, rounded up; infinite where it lies beyond 2³⁰ units.

    ``function`` takes and returns an array of the shape of ``unit``; it decreases, and far below 0 it is at least the
    level.

    >>> round(last_at_least(lambda z: -z, np.array(-2.0), np.array(1.0)).item(), 9)
    2.0
    """
    low, high = -unit, +unit
    while (short := (function(low) < level) & (low > -_FARTHEST * unit)).any():
        low = np.where(short, 2 * low, low)
    while (short := (function(high) >= level) & (high < _FARTHEST * unit)).any():
        high = np.where(short, 2 * high, high)
    unbounded = function(high) >= level
    for _ in range(_HALVINGS):
        middle = low + (high - low) / 2
        reached = function(middle) >= level
        low, high = np.where(reached, middle, low), np.where(reached, high, middle)
    return np.where(unbounded, np.inf, high)
