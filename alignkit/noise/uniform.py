"""The uniform distribution: noise between two public bounds, for what is chosen at random apart from the answers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import HIGH, LOW, checked_parameter

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, low: Any, high: Any) -> Any:
    """1 / (high - low), for x between the two.

    >>> _density(1, 0, 4)
    0.25
    """
    return 1 / (high - low)


def _mean(low: Any, high: Any) -> Any:
    """Halfway between the two."""
    return (low + high) / 2


def _variance(low: Any, high: Any) -> Any:
    """(high - low)² / 12."""
    return (high - low) * (high - low) / 12


def _cost(shift: Any, low: Any, high: Any) -> Any:
    """0, at every x for which x + shift is between the two as well: no constant shift but 0 is valid for every x."""
    return 0


def _sample(rng: np.random.Generator, low: Any, high: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    low, high = checked_interval(low, high)
    drawn = low + (high - low) * rng.random(size)
    # The sum may be rounded up to the upper bound, which is not in the support.
    return min(float(drawn), below(high)) if size is None else drawn.clip(low, below(high))


def checked_interval(low: Any, high: Any) -> tuple[float, float]:
    """The bounds as floats, checked one by one and together.

    >>> checked_interval(-1, 3)
    (-1.0, 3.0)
    """
    given = zip((low, high), (LOW, HIGH), strict=True)
    low, high = (float(checked_parameter(value, parameter, "uniform")) for value, parameter in given)
    if not low < high:
        raise InputError(f"noise.uniform: low is {low} and high is {high}; write a low below the high, as in (0, 1)")
    return low, high


def below(bound: float) -> float:
    """The largest float below a bound."""
    return math.nextafter(bound, -math.inf)


UNIFORM = Distribution(
    name="uniform",
    title="Uniform",
    parameters=(LOW, HIGH),
    support=Support.INTERVAL,
    has_atoms=False,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    homogeneous=False,
    source="the uniform density between low and high",
)
