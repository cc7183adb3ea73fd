"""The discrete Laplace distribution: two-sided noise on a lattice, for query answers on that lattice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.noise.distribution import Distribution, Support, natural_exp, one_minus_exp, quotient
from alignkit.noise.distribution_parameters import LATTICE, SCALE, lattice_parameters
from alignkit.noise.lattice import geometric_counts, multiples

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, scale: Any, lattice: Any = 1) -> Any:
    """(1 - r)/(1 + r) exp(-|x|/scale) with r = exp(-lattice/scale), at multiples x of the lattice.

    >>> round(_density(0, 1) + 2 * _density(1, 1) + 2 * _density(-2, 1), 6)
    0.927205
    """
    step = quotient(lattice, scale)
    return one_minus_exp(-step) / (1 + natural_exp(-step)) * natural_exp(-quotient(abs(x), scale))


def _variance(scale: Any, lattice: Any = 1) -> Any:
    """2 lattice² r / (1 - r)², twice the variance of the geometric distribution.

    >>> round(_variance(1), 6)
    1.841347
    """
    step = lattice / one_minus_exp(-lattice / scale)
    return 2 * step * step * natural_exp(-lattice / scale)


def _cost(shift: Any, scale: Any, lattice: Any = 1) -> Any:
    """|shift| / scale, as for Laplace; the lattice does not enter: a valid shift is a multiple of it."""
    return abs(shift) / scale


def _upper_tail(t: Any, scale: Any, lattice: Any = 1) -> Any:
    """exp(-t/scale) / (1 + r) with r = exp(-lattice/scale), exact at the multiples t >= 0 of the lattice.

    Between two multiples the probability is that at the larger. At t = -m lattice with m >= 1 it is 1 - r**(m + 1) /
    (1 + r), which is at most r**(-m) / (1 + r), since r**m (1 + r) - r**(2m + 1) grows with r and is 1 at r = 1.

    >>> round(_upper_tail(1, 1), 6)
    0.268941
    """
    return natural_exp(-(t / scale)) / (1 + natural_exp(-(lattice / scale)))


def _lower_tail(t: Any, scale: Any, lattice: Any = 1) -> Any:
    """exp(t/scale) / (1 + r): the noise is symmetric."""
    return _upper_tail(-t, scale, lattice)


def _largest_mass(scale: Any, lattice: Any = 1) -> Any:
    """(1 - r) / (1 + r) with r = exp(-lattice/scale): the probability of 0.

    >>> round(_largest_mass(1), 6)
    0.462117
    """
    r = natural_exp(-(lattice / scale))
    return (1 - r) / (1 + r)


def _sample(rng: np.random.Generator, scale: Any, lattice: Any = 1, size: Any = None) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array (see `lattice.multiples`).

    Drawn as the difference of two independent geometric variables of the same scale.
    """
    scale, lattice = lattice_parameters(scale, lattice, "discrete_laplace")
    up = geometric_counts(rng, scale, lattice, size)
    down = geometric_counts(rng, scale, lattice, size)
    return multiples(up - down, lattice)


DISCRETE_LAPLACE = Distribution(
    name="discrete_laplace",
    title="Discrete Laplace",
    parameters=(SCALE, LATTICE),
    support=Support.LATTICE,
    has_atoms=True,
    density_on_support=_density,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    largest_mass=_largest_mass,
    upper_tail=_upper_tail,
    lower_tail=_lower_tail,
    geometric_steps=True,
    source="Ding, Wang, Zhang, Kifer (VLDB 2020), Theorem 2: DiscLaplace(scale) with base lattice",
)
