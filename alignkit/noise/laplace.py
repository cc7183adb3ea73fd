"""The Laplace distribution: the two-sided noise of Noisy Max and Sparse Vector."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import SCALE, positive_parameter
from alignkit.noise.elementary import quotient, sympy


def _density(x: Any, scale: Any) -> float:
    """exp(-|x|/scale) / (2 scale).

    >>> _density(0, 0.5)
    1.0
    """
    scale = positive_parameter(scale, SCALE, "laplace")
    return math.exp(-abs(quotient(x, scale))) / (2 * float(scale))


def _mean(scale: Any) -> Any:
    """0."""
    return 0


def _variance(scale: Any) -> Any:
    """2 scale²."""
    return 2 * scale * scale


def _cost(shift: Any, scale: Any) -> Any:
    """|shift| / scale: |x + shift| - |x| is at most |shift|, and is |shift| at x = 0."""
    return abs(shift) / scale


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.laplace(0.0, float(positive_parameter(scale, SCALE, "laplace")), size)


def _formula(x: Any, scale: Any) -> Any:
    """The density as a sympy expression."""
    s = sympy()
    x, scale = s.sympify(x), s.sympify(scale)
    return s.exp(-s.Abs(x) / scale) / (2 * scale)


LAPLACE = Distribution(
    name="laplace",
    title="Laplace",
    parameters=(SCALE,),
    support=Support.REALS,
    density=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    formula=_formula,
    source="Ding, Wang, Zhang, Kifer (VLDB 2020), Theorem 1; the VLDB Journal extension, Table 1: Lap(scale)",
)
