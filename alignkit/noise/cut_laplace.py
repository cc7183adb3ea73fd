"""Laplace and discrete Laplace noise cut off at two public bounds: ``noise.laplace(scale, within=A)``, and its twin."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient
from alignkit.noise.distribution_parameters import LATTICE, SCALE, Parameter, checked_parameter, lattice_parameters
from alignkit.noise.lattice import is_multiple, multiples
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
    """The integral of x times the Laplace density over the part above 0, less that below, divided by what is kept."""
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
    if all(isinstance(bound, int | float | Fraction) for bound in (low, high)) and not low < 0 < high:
        raise InputError(f"noise.laplace is to lie between {low} and {high}; write a bound above 0: within=5")
    given = zip((low, high, scale), (LOW, HIGH, SCALE), strict=True)
    low, high, scale = (float(checked_parameter(value, parameter, "cut_laplace")) for value, parameter in given)
    return low, high, scale


def quantile(u: float, low: float, high: float, scale: float) -> float:
    """The noise below which a share u of it lies; u is at least 0 and below 1.

    >>> quantile(0.5, -1, 1, 1), round(quantile(0.9, -1, 1, 1), 6)
    (0.0, 0.704605)
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


# On a lattice


def _ratio(scale: Any, lattice: Any) -> Any:
    return natural_exp(-quotient(lattice, scale))


def _lattice_total(low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """The sum of exp(-|x|/scale) over the multiples x of the lattice between the bounds."""
    r = _ratio(scale, lattice)
    up, down = (natural_exp(-quotient(bound + lattice, scale)) for bound in (high, -low))
    return (1 + r - up - down) / (1 - r)


def _lattice_density(x: Any, low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """exp(-|x|/scale), divided by the sum of that over the multiples of the lattice between the bounds.

    >>> round(sum(_lattice_density(x, -2, 1, 1) for x in (-2, -1, 0, 1)), 12)
    1.0
    """
    return natural_exp(-quotient(abs(x), scale)) / _lattice_total(low, high, scale, lattice)


def _sums_of_powers(bound: Any, scale: Any, lattice: Any) -> tuple[Any, Any]:
    """The sums of x exp(-x/scale) and of x² exp(-x/scale) over the multiples x of the lattice from 0 to a bound."""
    r, n = _ratio(scale, lattice), quotient(bound, lattice)
    last = natural_exp(-quotient(bound, scale))  # r**n
    first = r * (1 - (n + 1) * last + n * last * r) / (1 - r) ** 2
    whole = (n + 1) ** 2 * last - (2 * n * n + 2 * n - 1) * last * r + n * n * last * r * r
    second = r * (1 + r - whole) / (1 - r) ** 3
    return lattice * first, lattice * lattice * second


def _lattice_mean(low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """The sum over the multiples above 0 less that over those below, divided by the sum of all."""
    up, down = (_sums_of_powers(bound, scale, lattice)[0] for bound in (high, -low))
    return (up - down) / _lattice_total(low, high, scale, lattice)


def _lattice_variance(low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """The second moment less the square of the mean."""
    up, down = (_sums_of_powers(bound, scale, lattice)[1] for bound in (high, -low))
    mean = _lattice_mean(low, high, scale, lattice)
    return (up + down) / _lattice_total(low, high, scale, lattice) - mean * mean


def _lattice_cost(shift: Any, low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """|shift| / scale, as for discrete Laplace noise."""
    return abs(shift) / scale


def _lattice_upper_tail(t: Any, low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """(exp(-t/scale) - u) / (1 + r - u - d): r = exp(-lattice/scale), u = r exp(-high/scale), d = r exp(low/scale).

    Exact at the multiples of the lattice from 0 to high, where it is the sum of exp(-x/scale) from t to high; above
    high it is below 0 from the next multiple on. At t = -m lattice, m >= 1, the probability is 1 - (s - d) / (1 + r - u
    - d) with s = exp(-(m + 1) lattice/scale), and 1 + r - s - u is at most 1/(r**m) - u, as r**-m + r**(m + 1) grows
    with m and is 1 + r at m = 0. Between two multiples the probability is that at the larger, and the bound larger.

    >>> round(_lattice_upper_tail(5, -5, 5, 1), 6)
    0.003125
    """
    r = natural_exp(-(lattice / scale))
    up, down = natural_exp(-((high + lattice) / scale)), natural_exp((low - lattice) / scale)
    return (natural_exp(-(t / scale)) - up) / (1 + r - up - down)


def _lattice_lower_tail(t: Any, low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """That of the noise with its sign changed."""
    return _lattice_upper_tail(-t, -high, -low, scale, lattice)


def _lattice_largest_mass(low: Any, high: Any, scale: Any, lattice: Any = 1) -> Any:
    """(1 - r) / (1 + r - u - d), with the names of the upper tail: the probability of 0."""
    r = natural_exp(-(lattice / scale))
    up, down = natural_exp(-((high + lattice) / scale)), natural_exp((low - lattice) / scale)
    return (1 - r) / (1 + r - up - down)


def checked_lattice_bounds(low: Any, high: Any, scale: Any, lattice: Any = 1) -> tuple[int, int, Any, Any]:
    """How many steps the bounds are from 0, with the scale and the lattice, checked one by one and together.

    >>> checked_lattice_bounds(-1, 3, 2, Fraction(1, 2))
    (2, 6, 2, Fraction(1, 2))
    """
    name = "cut_discrete_laplace"
    if all(isinstance(bound, int | float | Fraction) for bound in (low, high)) and not low < 0 < high:
        raise InputError(f"noise.discrete_laplace is to lie between {low} and {high}; write a bound above 0: within=5")
    low, high = (checked_parameter(value, parameter, name) for value, parameter in ((low, LOW), (high, HIGH)))
    scale, lattice = lattice_parameters(scale, lattice, name)
    for bound in (low, high):
        if not is_multiple(bound, lattice):
            problem = f"the bound {bound} is no multiple of the lattice {lattice}"
            raise InputError(f"noise.{name}: {problem}; write one that is")
    return round(-low / lattice), round(high / lattice), scale, lattice


def steps_from_0(u: Any, v: Any, down: int, up: int, step: float) -> Any:
    """How many steps of the lattice from 0 noise lies: u says on which side, and v how far, each from 0 to 1.

    ``step`` is lattice/scale. Numbers, or arrays of them.

    >>> steps_from_0(0.1, 0.5, 3, 2, 1.0), steps_from_0(0.9, 0.99, 3, 2, 1.0)
    (-1, 2)
    """
    import numpy as np

    above, below_0 = -math.expm1(-step * (up + 1)), -math.expm1(-step * down) * math.exp(-step)
    is_above = np.asarray(u) * (above + below_0) >= below_0
    most = np.where(is_above, up + 1, down)
    far = np.floor(np.log1p(v * np.expm1(-step * most)) / -step).clip(0, most - 1).astype(np.int64)
    steps = np.where(is_above, far, -1 - far)
    return int(steps) if np.ndim(u) == 0 else steps


def _lattice_sample(
    rng: np.random.Generator, low: Any, high: Any, scale: Any, lattice: Any = 1, size: Any = None
) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array (see `lattice.multiples`)."""
    down, up, scale, lattice = checked_lattice_bounds(low, high, scale, lattice)
    return multiples(steps_from_0(rng.random(size), rng.random(size), down, up, float(lattice / scale)), lattice)


CUT_DISCRETE_LAPLACE = Distribution(
    name="cut_discrete_laplace",
    title="cut discrete Laplace",
    parameters=(LOW, HIGH, SCALE, LATTICE),
    support=Support.CUT_LATTICE,
    has_atoms=True,
    density_on_support=_lattice_density,
    mean=_lattice_mean,
    variance=_lattice_variance,
    cost=_lattice_cost,
    sample=_lattice_sample,
    largest_mass=_lattice_largest_mass,
    upper_tail=_lattice_upper_tail,
    lower_tail=_lattice_lower_tail,
    homogeneous=False,
    source="the discrete Laplace probabilities between two bounds, divided by their sum",
)
