"""The geometric distribution: one-sided noise on a lattice, the discrete analogue of exponential noise.

With p = 1 - exp(-lattice/scale) and lattice 1 it is the Geo(p) of the VLDB Journal extension, Table 1. That
table prints the support {0, 1, ...} beside the mean 1/p, which is the mean of the version that starts at 1.
Ours starts at 0 and has the mean (1 - p)/p, one less. The variance (1 - p)/p² is that of both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, one_minus_exp, quotient
from alignkit.noise.distribution_parameters import LATTICE, SCALE, lattice_parameters
from alignkit.noise.lattice import geometric_counts, multiples

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, scale: Any, lattice: Any = 1) -> Any:
    """(1 - r) r**(x/lattice) with r = exp(-lattice/scale), for x = 0, lattice, 2 lattice, ...

    >>> round(_density(0, 1) + _density(1, 1) + _density(2, 1), 6)
    0.950213
    """
    return one_minus_exp(-quotient(lattice, scale)) * natural_exp(-quotient(x, scale))


def _mean(scale: Any, lattice: Any = 1) -> Any:
    """lattice r / (1 - r): the mean of the version that starts at 0.

    >>> round(_mean(1), 6)
    0.581977
    """
    return lattice * natural_exp(-lattice / scale) / one_minus_exp(-lattice / scale)


def _variance(scale: Any, lattice: Any = 1) -> Any:
    """lattice² r / (1 - r)².

    >>> round(_variance(1), 6)
    0.920674
    """
    step = lattice / one_minus_exp(-lattice / scale)
    return step * step * natural_exp(-lattice / scale)


def _cost(shift: Any, scale: Any, lattice: Any = 1) -> Any:
    """shift / scale, the same at every x: below 0 for a shift down, which is valid only while x + shift >= 0.

    The lattice does not enter: a valid shift is a multiple of it.
    """
    return shift / scale


def _upper_tail(t: Any, scale: Any, lattice: Any = 1) -> Any:
    """exp(-t/scale), exact at the multiples t >= 0 of the lattice: the noise is one-sided, from 0."""
    return natural_exp(-(t / scale))


def _lower_tail(t: Any, scale: Any, lattice: Any = 1) -> Any:
    """1 - exp(-(t + lattice)/scale), exact at the multiples t >= 0 of the lattice.

    Between two multiples the probability is that at the smaller, which is less. It is below 0 for t < -lattice.
    """
    return 1 - natural_exp(-((t + lattice) / scale))


def _largest_mass(scale: Any, lattice: Any = 1) -> Any:
    """1 - exp(-lattice/scale): the probability of 0."""
    return 1 - natural_exp(-(lattice / scale))


def _sample(rng: np.random.Generator, scale: Any, lattice: Any = 1, size: Any = None) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array (see `lattice.multiples`)."""
    scale, lattice = lattice_parameters(scale, lattice, "geometric")
    return multiples(geometric_counts(rng, scale, lattice, size), lattice)


GEOMETRIC = Distribution(
    name="geometric",
    title="Geometric",
    parameters=(SCALE, LATTICE),
    support=Support.NONNEGATIVE_LATTICE,
    has_atoms=True,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    largest_mass=_largest_mass,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    geometric_steps=True,
    source="the VLDB Journal extension of Ding, Wang, Zhang, Kifer (VLDB 2020), Table 1: Geo(p), from 0",
)
