"""The exponential distribution: one-sided noise, half the variance of Laplace noise of the same scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient
from alignkit.noise.distribution_parameters import SCALE, checked_parameter

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, scale: Any) -> Any:
    """exp(-x/scale) / scale, for x >= 0.

    >>> _density(0, 0.5)
    2.0
    """
    return natural_exp(-quotient(x, scale)) / scale


def _mean(scale: Any) -> Any:
    """scale."""
    return scale


def _variance(scale: Any) -> Any:
    """scale²."""
    return scale * scale


def _cost(shift: Any, scale: Any) -> Any:
    """shift / scale, the same at every x: below 0 for a shift down, which is valid only while x + shift >= 0.

    The sign matters when costs are summed: what a shift down gains may pay for a shift up.

    >>> _cost(-1.0, 2)
    -0.5
    """
    return shift / scale


def _upper_tail(t: Any, scale: Any) -> Any:
    """exp(-t/scale), exact for t >= 0, and at least 1 below."""
    return natural_exp(-(t / scale))


def _lower_tail(t: Any, scale: Any) -> Any:
    """1 - exp(-t/scale), exact for t >= 0, and below 0 where the probability is 0."""
    return 1 - natural_exp(-(t / scale))


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.exponential(float(checked_parameter(scale, SCALE, "exponential")), size)


EXPONENTIAL = Distribution(
    name="exponential",
    title="Exponential",
    parameters=(SCALE,),
    support=Support.NONNEGATIVE,
    has_atoms=False,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    source="the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020), Table 1: Exp(scale)",
)
