"""The logistic distribution: that of the difference of two independent Gumbel variables."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient, sympy
from alignkit.noise.distribution_parameters import SCALE, checked_parameter

if TYPE_CHECKING:
    import numpy as np

# The variance of logistic noise of scale 1.
_VARIANCE = math.pi**2 / 3


def _density(x: Any, scale: Any) -> Any:
    """1 / (scale (exp(z) + 2 + exp(-z))) with z = x/scale, which is exp(-z) / (scale (1 + exp(-z))²).

    >>> _density(0, 1)
    0.25
    """
    z = quotient(x, scale)
    return 1 / (scale * (natural_exp(z) + 2 + natural_exp(-z)))


def _variance(scale: Any) -> Any:
    """scale² π²/3."""
    if isinstance(scale, int | float | Fraction):
        return _VARIANCE * scale * scale
    return sympy().pi ** 2 * scale**2 / 3


def _cost(shift: Any, scale: Any) -> Any:
    """|shift| / scale: the least upper bound over x, which is approached far out on the side shifted away from 0."""
    return abs(shift) / scale


def _upper_tail(t: Any, scale: Any) -> Any:
    """1 / (1 + exp(t/scale)), exact."""
    return 1 / (1 + natural_exp(t / scale))


def _lower_tail(t: Any, scale: Any) -> Any:
    """1 / (1 + exp(-t/scale)), exact."""
    return 1 / (1 + natural_exp(-(t / scale)))


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.logistic(0.0, float(checked_parameter(scale, SCALE, "logistic")), size)


LOGISTIC = Distribution(
    name="logistic",
    title="logistic",
    parameters=(SCALE,),
    support=Support.REALS,
    has_atoms=False,
    density_on_support=_density,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    source="Lemma 10 of the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020), there with scale 1",
)
