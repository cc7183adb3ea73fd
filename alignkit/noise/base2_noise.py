"""Discrete Laplace and geometric noise in base 2, whose probabilities are fractions: for exact release.

Their parameter is the rate, the privacy loss in bits of a shift by 1, since 2**(-rate * lattice) is a fraction for
rates of the form -z log2(x / 2**y); the reciprocal, the scale, is no such number.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution, sympy
from alignkit.noise.distribution_parameters import LATTICE, RATE, checked_parameter
from alignkit.noise.geometric import GEOMETRIC

if TYPE_CHECKING:
    import numpy as np


def _scale(rate: Any) -> Any:
    """1 / (rate ln 2), the scale in base e: a float for a number, a sympy expression for a sympy expression."""
    if hasattr(rate, "free_symbols"):
        return 1 / (rate * sympy().log(2))
    return 1 / (float(rate) * math.log(2))


def _in_base2(natural: Distribution, cost: Callable[..., Any], source: str) -> Distribution:
    """The law of a distribution with the scale 1 / (rate ln 2), by its rate."""
    name = f"{natural.name}_base2"

    def sample(rng: np.random.Generator, rate: Any, lattice: Any = 1, size: Any = None) -> Any:
        return natural.sample(rng, _scale(checked_parameter(rate, RATE, name)), lattice, size)

    return replace(
        natural,
        name=name,
        title=f"{natural.title}, base 2",
        parameters=(RATE, LATTICE),
        density_on_support=lambda x, rate, lattice=1: natural.density_on_support(x, _scale(rate), lattice),
        mean=lambda rate, lattice=1: natural.mean(_scale(rate), lattice),
        variance=lambda rate, lattice=1: natural.variance(_scale(rate), lattice),
        cost=cost,
        sample=sample,
        # Those of the natural distribution are by its scale.
        largest_mass=None,
        upper_tail=None,
        lower_tail=None,
        source=source,
        base=2,
    )


def _laplace_cost(shift: Any, rate: Any, lattice: Any = 1) -> Any:
    """|shift| * rate bits; the lattice does not enter: a valid shift is a multiple of it."""
    return abs(shift) * rate


def _geometric_cost(shift: Any, rate: Any, lattice: Any = 1) -> Any:
    """shift * rate bits, the same at every x: below 0 for a shift down, valid only while x + shift >= 0."""
    return shift * rate


# (1 - r)/(1 + r) 2**(-rate |x|) with r = 2**(-rate lattice), at multiples x of the lattice.
DISCRETE_LAPLACE_BASE2 = _in_base2(
    DISCRETE_LAPLACE,
    _laplace_cost,
    'Ilvento, "Implementing the sparse vector technique and variants", Equation (1), with rate eta',
)

# (1 - r) 2**(-rate x) with r = 2**(-rate lattice), for x = 0, lattice, 2 lattice, ...
GEOMETRIC_BASE2 = _in_base2(
    GEOMETRIC, _geometric_cost, "the geometric distribution from 0 with ratio 2**(-rate * lattice)"
)
