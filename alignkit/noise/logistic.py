"""The logistic distribution: that of the difference of two independent Gumbel variables."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import SCALE, positive_parameter
from alignkit.noise.elementary import quotient, sympy

# The variance of logistic noise of scale 1.
_VARIANCE = math.pi**2 / 3


def _density(x: Any, scale: Any) -> float:
    """exp(-z) / (scale (1 + exp(-z))²) with z = |x|/scale: it is symmetric.

    >>> _density(0, 1)
    0.25
    """
    scale = positive_parameter(scale, SCALE, "logistic")
    tail = math.exp(-abs(quotient(x, scale)))
    return tail / (1 + tail) ** 2 / float(scale)


def _mean(scale: Any) -> Any:
    """0."""
    return 0


def _variance(scale: Any) -> Any:
    """scale² π²/3."""
    if isinstance(scale, int | float | Fraction):
        return _VARIANCE * scale * scale
    return sympy().pi ** 2 * scale**2 / 3


def _cost(shift: Any, scale: Any) -> Any:
    """|shift| / scale: the least upper bound over x, which is approached far out on the side shifted away from 0."""
    return abs(shift) / scale


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.logistic(0.0, float(positive_parameter(scale, SCALE, "logistic")), size)


def _formula(x: Any, scale: Any) -> Any:
    """The density as a sympy expression."""
    s = sympy()
    x, scale = s.sympify(x), s.sympify(scale)
    return s.exp(-x / scale) / (scale * (1 + s.exp(-x / scale)) ** 2)


LOGISTIC = Distribution(
    name="logistic",
    title="logistic",
    parameters=(SCALE,),
    support=Support.REALS,
    density=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    formula=_formula,
    source="Lemma 10 of the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020), there with scale 1",
)
