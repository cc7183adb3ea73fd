"""The discrete Laplace distribution: two-sided noise on a lattice, for query answers on that lattice."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import LATTICE, SCALE, lattice_parameters, positive_parameter
from alignkit.noise.elementary import natural_exp, one_minus_exp, quotient, sympy
from alignkit.noise.lattice import geometric_counts, is_multiple, multiples


def _density(x: Any, scale: Any, lattice: Any = 1) -> float:
    """(1 - r)/(1 + r) exp(-|x|/scale) with r = exp(-lattice/scale), at multiples of the lattice; else 0.

    >>> round(_density(0, 1) + 2 * _density(1, 1) + 2 * _density(-2, 1), 6), _density(0.5, 1)
    (0.927205, 0.0)
    """
    scale = positive_parameter(scale, SCALE, "discrete_laplace")
    lattice = positive_parameter(lattice, LATTICE, "discrete_laplace")
    if not is_multiple(x, lattice):
        return 0.0
    step = quotient(lattice, scale)
    return -math.expm1(-step) / (1 + math.exp(-step)) * math.exp(-abs(quotient(x, scale)))


def _mean(scale: Any, lattice: Any = 1) -> Any:
    """0."""
    return 0


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


def _sample(rng: np.random.Generator, scale: Any, lattice: Any = 1, size: Any = None) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array (see `lattice.multiples`).

    Drawn as the difference of two independent geometric variables of the same scale.
    """
    scale, lattice = lattice_parameters(scale, lattice, "discrete_laplace")
    up = geometric_counts(rng, scale, lattice, size)
    down = geometric_counts(rng, scale, lattice, size)
    return multiples(up - down, lattice)


def _formula(x: Any, scale: Any, lattice: Any = 1) -> Any:
    """The mass at a multiple x of the lattice as a sympy expression."""
    s = sympy()
    x, scale, lattice = s.sympify(x), s.sympify(scale), s.sympify(lattice)
    r = s.exp(-lattice / scale)
    return (1 - r) / (1 + r) * s.exp(-s.Abs(x) / scale)


DISCRETE_LAPLACE = Distribution(
    name="discrete_laplace",
    title="Discrete Laplace",
    parameters=(SCALE, LATTICE),
    support=Support.LATTICE,
    density=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    formula=_formula,
    source="Ding, Wang, Zhang, Kifer (VLDB 2020), Theorem 2: DiscLaplace(scale) with base lattice",
)
