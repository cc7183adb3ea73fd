"""The Gumbel distribution: the noise whose largest value selects as the exponential mechanism does."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient, sympy
from alignkit.noise.distribution_parameters import SCALE, checked_parameter

if TYPE_CHECKING:
    import numpy as np

# The mean of Gumbel noise of scale 1 (Euler's constant), and its variance.
_EULER = 0.57721566490153286061
_VARIANCE = math.pi**2 / 6


def _density(x: Any, scale: Any) -> Any:
    """exp(-z - exp(-z)) / scale with z = x/scale.

    >>> _density(0, 1) == math.exp(-1), _density(-1e308, 0.5)
    (True, 0.0)
    """
    z = quotient(x, scale)
    tail = natural_exp(-z)
    return 0.0 if tail == math.inf else natural_exp(-z - tail) / scale


def _mean(scale: Any) -> Any:
    """scale times Euler's constant, 0.577…"""
    return (_EULER if isinstance(scale, int | float | Fraction) else sympy().EulerGamma) * scale


def _variance(scale: Any) -> Any:
    """scale² π²/6."""
    if isinstance(scale, int | float | Fraction):
        return _VARIANCE * scale * scale
    return sympy().pi ** 2 * scale**2 / 6


def _cost(shift: Any, scale: Any) -> Any:
    """shift / scale for a shift up: ln f(x)/f(x + shift) is less by exp(-x/scale) (1 - exp(-shift/scale)) at x.

    For a shift down there is no bound: see `least`.
    """
    return shift / scale


def _least(x: Any, shift: Any, scale: Any) -> Any:
    """A number that ln f(x)/f(x + shift) is at least, for a shift down: exact for exact numbers.

    With y = -x/scale and d = -shift/scale the logarithm is exp(y) (exp(d) - 1) - d, and exp(d) - 1 >= d. Where y > 0,
    exp(y) >= 1 + y + y²/2 + y³/6; elsewhere exp(y) > 0.

    >>> _least(Fraction(-4), Fraction(-1), 1), _least(3, Fraction(-1), 1)
    (Fraction(68, 3), Fraction(-1, 1))
    """
    y, d = -x / scale, -shift / scale
    return d * (y + y * y / 2 + y * y * y / 6) if y > 0 else -d


def _upper_tail(t: Any, scale: Any) -> Any:
    """exp(-t/scale): 1 - exp(-z) is at most z, at z = exp(-t/scale)."""
    return natural_exp(-(t / scale))


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.gumbel(0.0, float(checked_parameter(scale, SCALE, "gumbel")), size)


GUMBEL = Distribution(
    name="gumbel",
    title="Gumbel",
    parameters=(SCALE,),
    support=Support.REALS,
    has_atoms=False,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    least=_least,
    sample=_sample,
    upper_tail=_upper_tail,
    source="Section 8.1 of the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020): Gumbel(0), scale 1",
)
