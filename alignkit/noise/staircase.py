"""The staircase distribution: a density in steps. With the best gamma, no noise for one answer errs less at a claim."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support, natural_exp, one_minus_exp, quotient, sympy
from alignkit.noise.distribution_parameters import GAMMA, LARGEST_COUNT, PERIOD, SCALE, checked_parameter
from alignkit.noise.lattice import geometric_counts

if TYPE_CHECKING:
    import numpy as np

# In floating point, a shift that is so little above a whole number of periods counts as that number: what refutes a
# claim must not rest on the last digits.
_CLOSE = 1e-12


def _fall(scale: Any, period: Any) -> Any:
    """exp(-period/scale), by which the density falls from one step to the next."""
    return natural_exp(-quotient(period, scale))


def _density(x: Any, scale: Any, gamma: Any, period: Any) -> Any:
    """The height on the step that x is on; the step before the first begins at 0, and is gamma periods wide.

    >>> round(_density(0.4, 1, 0.5, 1) / _density(0.6, 1, 0.5, 1), 9) == round(math.e, 9)
    True
    """
    height = one_minus_exp(-quotient(period, scale)) / (2 * period * (gamma + (1 - gamma) * _fall(scale, period)))
    steps = abs(x) / period + 1 - gamma
    falls = math.floor(steps) if isinstance(steps, int | float | Fraction) else sympy().floor(steps)
    return height * natural_exp(-quotient(falls * period, scale))


def _variance(scale: Any, gamma: Any, period: Any) -> Any:
    """|x|/period is a geometric number of whole periods and a part of one, which is uniform below or above gamma."""
    fall, rest = _fall(scale, period), one_minus_exp(-quotient(period, scale))
    below = gamma / (gamma + (1 - gamma) * fall)
    whole, whole_squared = fall / rest, fall * (1 + fall) / rest**2
    part = (below * gamma + (1 - below) * (1 + gamma)) / 2
    part_squared = (below * gamma * gamma + (1 - below) * (1 + gamma + gamma * gamma)) / 3
    return period * period * (whole_squared + 2 * whole * part + part_squared)


def _cost(shift: Any, scale: Any, gamma: Any, period: Any) -> Any:
    """|shift| in periods, rounded up, of which each costs period / scale: so many steps a shift may cross.

    It is no multiple of the shift: the least shift other than 0 costs a whole period.

    >>> _cost(Fraction(1, 9), 2, Fraction(1, 2), 1), _cost(0, 2, Fraction(1, 2), 1), _cost(0.1 + 0.2, 1.0, 0.5, 0.3)
    (Fraction(1, 2), Fraction(0, 1), 0.3)
    """
    periods = abs(shift) / period
    if isinstance(periods, float):
        periods -= _CLOSE * max(1.0, periods)
    return math.ceil(periods) * (Fraction(period) if isinstance(period, int) else period) / scale


def _sample(rng: np.random.Generator, scale: Any, gamma: Any, period: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    scale, gamma, period = checked_staircase(scale, gamma, period)
    fall = math.exp(-period / scale)
    whole = geometric_counts(rng, scale, period, size)
    sign = 2 * rng.integers(0, 2, size) - 1
    above = rng.random(size) * (gamma + (1 - gamma) * fall) >= gamma
    part = rng.random(size)
    drawn = sign * period * (whole + above * gamma + part * (gamma + above * (1 - 2 * gamma)))
    return float(drawn) if size is None else drawn


def checked_staircase(scale: Any, gamma: Any, period: Any) -> tuple[float, float, float]:
    """The parameters as floats, checked one by one and together: noise is counted in periods, in 64 bits.

    >>> checked_staircase(2, Fraction(1, 2), 1)
    (2.0, 0.5, 1.0)
    """
    given = zip((scale, gamma, period), (SCALE, GAMMA, PERIOD), strict=True)
    scale, gamma, period = (float(checked_parameter(value, parameter, "staircase")) for value, parameter in given)
    if scale / period > LARGEST_COUNT:
        raise InputError(
            f"noise.staircase: scale is {scale} with period {period}, too large to sample; write at most 2**50 periods"
        )
    return scale, gamma, period


STAIRCASE = Distribution(
    name="staircase",
    title="Staircase",
    parameters=(SCALE, GAMMA, PERIOD),
    support=Support.REALS,
    has_atoms=False,
    density_on_support=_density,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    homogeneous=False,
    source="Geng, Kairouz, Oh, Viswanath, The staircase mechanism in differential privacy: Definition 1, scale = Δ/ε",
)
