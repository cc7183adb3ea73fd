"""The exponential distribution: one-sided noise, half the variance of Laplace noise of the same scale."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import SCALE, positive_parameter
from alignkit.noise.elementary import quotient, sympy


def _density(x: Any, scale: Any) -> float:
    """exp(-x/scale) / scale for x >= 0, otherwise 0.

    >>> _density(0, 0.5), _density(-1, 0.5)
    (2.0, 0.0)
    """
    scale = positive_parameter(scale, SCALE, "exponential")
    return math.exp(-quotient(x, scale)) / float(scale) if x >= 0 else 0.0


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


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.exponential(float(positive_parameter(scale, SCALE, "exponential")), size)


def _formula(x: Any, scale: Any) -> Any:
    """The density, for x >= 0, as a sympy expression."""
    s = sympy()
    x, scale = s.sympify(x), s.sympify(scale)
    return s.exp(-x / scale) / scale


EXPONENTIAL = Distribution(
    name="exponential",
    title="Exponential",
    parameters=(SCALE,),
    support=Support.NONNEGATIVE,
    density=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    formula=_formula,
    source="the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020), Table 1: Exp(scale)",
)
