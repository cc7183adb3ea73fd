"""The Laplace distribution cut off at two public bounds: what ``noise.laplace(scale, within=A)`` draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient
from alignkit.noise.distribution_parameters import SCALE, Parameter, checked_parameter
from alignkit.noise.uniform import below

if TYPE_CHECKING:
    import numpy as np

# 0 lies between them: below it the density rises, and above it falls.
LOW = Parameter("low", "-5", above=None, below=0)
HIGH = Parameter("high", "5")


def _kept(low: Any, high: Any, scale: Any) -> Any:
    """Twice the probability that Laplace noise is between the bounds, of which one is below 0 and one above."""
    return 2 - natural_exp(quotient(low, scale)) - natural_exp(-quotient(high, scale))


def _density(x: Any, low: Any, high: Any, scale: Any) -> Any:
    """exp(-|x|/scale) / (scale (2 - exp(low/scale) - exp(-high/scale))), for low <= x < high.

    >>> round(_density(0, -1, 1, 1), 6)
    0.790988
    """
    return natural_exp(-quotient(abs(x), scale)) / (scale * _kept(low, high, scale))


def _mean(low: Any, high: Any, scale: Any) -> Any:
    """The mean of both halves: each is scale less (bound + scale) times what is cut off, weighed."""
    below_0, above_0 = natural_exp(quotient(low, scale)), natural_exp(-quotient(high, scale))
    up, down = scale - (high + scale) * above_0, scale - (scale - low) * below_0
    return (up - down) / _kept(low, high, scale)


def _variance(low: Any, high: Any, scale: Any) -> Any:
    """The second moment less the square of the mean."""

    def half(bound: Any) -> Any:
        left = natural_exp(-quotient(bound, scale))
        return 2 * scale * scale - (bound * bound + 2 * bound * scale + 2 * scale * scale) * left

    mean = _mean(low, high, scale)
    return (half(high) + half(-low)) / _kept(low, high, scale) - mean * mean


def _cost(shift: Any, low: Any, high: Any, scale: Any) -> Any:
    """|shift| / scale, as for Laplace: what is cut off divides both densities by one number."""
    return abs(shift) / scale


def _upper_tail(t: Any, low: Any, high: Any, scale: Any) -> Any:
    """(exp((high - t)/scale) - 1) / (2 exp(high/scale) - exp((high + low)/scale) - 1), exact for 0 <= t <= high.

    Above it is below 0, where the probability is 0. Below 0 the probability is at most that, as z + 1/z >= 2.

    >>> round(_upper_tail(4, -5, 5, 1), 6)
    0.005828
    """
    kept = 2 * natural_exp(high / scale) - natural_exp((high + low) / scale) - 1
    return (natural_exp((high - t) / scale) - 1) / kept


def _lower_tail(t: Any, low: Any, high: Any, scale: Any) -> Any:
    """That of the noise with its sign changed."""
    return _upper_tail(-t, -high, -low, scale)


def checked_bounds(low: Any, high: Any, scale: Any) -> tuple[float, float, float]:
    """The parameters as floats, checked one by one and together.

    >>> checked_bounds(-1, 3, 2)
    (-1.0, 3.0, 2.0)
    """
    given = zip((low, high, scale), (LOW, HIGH, SCALE), strict=True)
    low, high, scale = (float(checked_parameter(value, parameter, "cut_laplace")) for value, parameter in given)
    if not low < 0 < high:
        raise InputError(f"noise.laplace is kept within {low} and {high}; write a bound above 0: within=5")
    return low, high, scale


def quantile(u: float, low: float, high: float, scale: float) -> float:
    """The noise below which a share u of it lies; u is at least 0 and below 1.

    >>> quantile(0.5, -1, 1, 1), round(quantile(0.9, -1, 1, 1), 6)
    (0.0, 0.705129)
    """
    down, up = -math.expm1(low / scale), -math.expm1(-high / scale)
    share = u * (down + up) - down
    x = -scale * math.log1p(-share) if share >= 0 else scale * math.log1p(share)
    return min(max(x, low), below(high))


def _sample(rng: np.random.Generator, low: Any, high: Any, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    low, high, scale = checked_bounds(low, high, scale)
    if size is None:
        return quantile(float(rng.random()), low, high, scale)
    import numpy as np

    return np.vectorize(lambda u: quantile(u, low, high, scale), otypes=[float])(rng.random(size))


CUT_LAPLACE = Distribution(
    name="cut_laplace",
    title="cut Laplace",
    parameters=(LOW, HIGH, SCALE),
    support=Support.INTERVAL,
    has_atoms=False,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    homogeneous=False,
    source="the Laplace density between two bounds, divided by its probability of lying there",
)
