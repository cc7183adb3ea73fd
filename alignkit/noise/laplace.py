"""The Laplace distribution: the two-sided noise of Noisy Max and Sparse Vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, quotient
from alignkit.noise.distribution_parameters import SCALE, checked_parameter

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, scale: Any) -> Any:
    """exp(-|x|/scale) / (2 scale).

    >>> _density(0, 0.5)
    1.0
    """
    return natural_exp(-quotient(abs(x), scale)) / (2 * scale)


def _variance(scale: Any) -> Any:
    """2 scale²."""
    return 2 * scale * scale


def _cost(shift: Any, scale: Any) -> Any:
    """|shift| / scale: |x + shift| - |x| is at most |shift|, and is |shift| at x = 0."""
    return abs(shift) / scale


def _upper_tail(t: Any, scale: Any) -> Any:
    """exp(-t/scale) / 2, exact for t >= 0; below, 1 - exp(t/scale)/2 is at most that, as z + 1/z >= 2.

    >>> _upper_tail(0, 2)
    0.5
    """
    return natural_exp(-(t / scale)) / 2


def _lower_tail(t: Any, scale: Any) -> Any:
    """exp(t/scale) / 2: the noise is symmetric."""
    return natural_exp(t / scale) / 2


def _sample(rng: np.random.Generator, scale: Any, size: Any = None) -> Any:
    """A float, or a float64 array of the given size."""
    return rng.laplace(0.0, float(checked_parameter(scale, SCALE, "laplace")), size)


LAPLACE = Distribution(
    name="laplace",
    title="Laplace",
    parameters=(SCALE,),
    support=Support.REALS,
    has_atoms=False,
    density_on_support=_density,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    source="Ding, Wang, Zhang, Kifer (VLDB 2020), Theorem 1; the VLDB Journal extension, Table 1: Lap(scale)",
)
