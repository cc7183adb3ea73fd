"""Discrete Laplace and geometric noise in base 2, whose probabilities are fractions: for exact release.

Their parameter is the rate, the privacy loss in bits of a shift by 1, since 2**(-rate * lattice) is a fraction for
rates of the form -z log2(x / 2**y); the reciprocal, the scale, is no such number.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import LATTICE, RATE, positive_parameter
from alignkit.noise.elementary import sympy
from alignkit.noise.geometric import GEOMETRIC

_SOURCE = 'Ilvento, "Implementing the sparse vector technique and variants"'


def _scale(rate: Any, distribution: str) -> float:
    """The scale in base e. Raises InputError unless the rate is a number above 0 that floats can hold."""
    return 1 / (float(positive_parameter(_number(rate), RATE, distribution)) * math.log(2))


def _number(rate: Any) -> Any:
    return float(rate) if hasattr(rate, "parts") else rate


def _laplace_density(x: Any, rate: Any, lattice: Any = 1) -> float:
    """(1 - r)/(1 + r) 2**(-rate |x|) with r = 2**(-rate lattice), at multiples of the lattice; else 0.

    >>> _laplace_density(0, 1), _laplace_density(-2, 1), _laplace_density(0.5, 1)
    (0.3333333333333333, 0.08333333333333333, 0.0)
    """
    return DISCRETE_LAPLACE.density(x, _scale(rate, "discrete_laplace_base2"), lattice)


def _geometric_density(x: Any, rate: Any, lattice: Any = 1) -> float:
    """(1 - r) 2**(-rate x) with r = 2**(-rate lattice), for x = 0, lattice, 2 lattice, ...; otherwise 0.

    >>> _geometric_density(0, 1), _geometric_density(1, 1), _geometric_density(-1, 1)
    (0.5, 0.25, 0.0)
    """
    return GEOMETRIC.density(x, _scale(rate, "geometric_base2"), lattice)


def _laplace_mean(rate: Any, lattice: Any = 1) -> Any:
    """0."""
    return 0


def _laplace_variance(rate: Any, lattice: Any = 1) -> Any:
    """2 lattice² r / (1 - r)² with r = 2**(-rate lattice)."""
    return DISCRETE_LAPLACE.variance(_same_scale(rate), lattice)


def _geometric_mean(rate: Any, lattice: Any = 1) -> Any:
    """lattice r / (1 - r) with r = 2**(-rate lattice)."""
    return GEOMETRIC.mean(_same_scale(rate), lattice)


def _geometric_variance(rate: Any, lattice: Any = 1) -> Any:
    """lattice² r / (1 - r)² with r = 2**(-rate lattice)."""
    return GEOMETRIC.variance(_same_scale(rate), lattice)


def _same_scale(rate: Any) -> Any:
    """The scale in base e of a number or a sympy expression."""
    rate = _number(rate)
    if hasattr(rate, "free_symbols"):
        s = sympy()
        return 1 / (rate * s.log(2))
    return 1 / (float(rate) * math.log(2))


def _laplace_cost(shift: Any, rate: Any, lattice: Any = 1) -> Any:
    """|shift| * rate bits; the lattice does not enter: a valid shift is a multiple of it."""
    return abs(shift) * rate


def _geometric_cost(shift: Any, rate: Any, lattice: Any = 1) -> Any:
    """shift * rate bits, the same at every x: below 0 for a shift down, valid only while x + shift >= 0."""
    return shift * rate


def _laplace_sample(rng: np.random.Generator, rate: Any, lattice: Any = 1, size: Any = None) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array."""
    return DISCRETE_LAPLACE.sample(rng, _scale(rate, "discrete_laplace_base2"), lattice, size)


def _geometric_sample(rng: np.random.Generator, rate: Any, lattice: Any = 1, size: Any = None) -> Any:
    """An exact multiple of the lattice, in the lattice's own type, or an array."""
    return GEOMETRIC.sample(rng, _scale(rate, "geometric_base2"), lattice, size)


def _laplace_formula(x: Any, rate: Any, lattice: Any = 1) -> Any:
    """The mass at a multiple x of the lattice as a sympy expression."""
    s = sympy()
    x, rate, lattice = s.sympify(x), s.sympify(rate), s.sympify(lattice)
    r = 2 ** (-rate * lattice)
    return (1 - r) / (1 + r) * 2 ** (-rate * s.Abs(x))


def _geometric_formula(x: Any, rate: Any, lattice: Any = 1) -> Any:
    """The mass at a multiple x >= 0 of the lattice as a sympy expression."""
    s = sympy()
    x, rate, lattice = s.sympify(x), s.sympify(rate), s.sympify(lattice)
    return (1 - 2 ** (-rate * lattice)) * 2 ** (-rate * x)


DISCRETE_LAPLACE_BASE2 = Distribution(
    name="discrete_laplace_base2",
    title="Discrete Laplace, base 2",
    parameters=(RATE, LATTICE),
    support=Support.LATTICE,
    density=_laplace_density,
    mean=_laplace_mean,
    variance=_laplace_variance,
    cost=_laplace_cost,
    sample=_laplace_sample,
    formula=_laplace_formula,
    source=f"{_SOURCE}, Equation (1), with rate eta",
    base=2,
)

GEOMETRIC_BASE2 = Distribution(
    name="geometric_base2",
    title="Geometric, base 2",
    parameters=(RATE, LATTICE),
    support=Support.NONNEGATIVE_LATTICE,
    density=_geometric_density,
    mean=_geometric_mean,
    variance=_geometric_variance,
    cost=_geometric_cost,
    sample=_geometric_sample,
    formula=_geometric_formula,
    source="the geometric distribution from 0 with ratio 2**(-rate * lattice)",
    base=2,
)
