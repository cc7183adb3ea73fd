"""All distributions, by name. A new one is a file of its own, an entry here and a method of `Noise`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alignkit.errors import InputError
from alignkit.noise.base2_noise import DISCRETE_LAPLACE_BASE2, GEOMETRIC_BASE2
from alignkit.noise.choice import CHOICE
from alignkit.noise.discrete_laplace import DISCRETE_LAPLACE
from alignkit.noise.distribution import Distribution
from alignkit.noise.exponential import EXPONENTIAL
from alignkit.noise.geometric import GEOMETRIC
from alignkit.noise.gumbel import GUMBEL
from alignkit.noise.laplace import LAPLACE
from alignkit.noise.logistic import LOGISTIC

DISTRIBUTIONS: Mapping[str, Distribution] = MappingProxyType(
    {
        d.name: d
        for d in (
            LAPLACE,
            EXPONENTIAL,
            GEOMETRIC,
            DISCRETE_LAPLACE,
            GEOMETRIC_BASE2,
            DISCRETE_LAPLACE_BASE2,
            GUMBEL,
            LOGISTIC,
        )
    }
)

# What a mechanism may draw: the distributions above, for which shifts have proved costs, and the finite choice.
DRAWS: Mapping[str, Distribution] = MappingProxyType({**DISTRIBUTIONS, CHOICE.name: CHOICE})


def distribution_named(name: str) -> Distribution:
    """The distribution of that name.

    >>> distribution_named("laplace").title
    'Laplace'
    >>> distribution_named("gauss")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: there is no noise called 'gauss'; write laplace, exponential, ...
    """
    try:
        return DISTRIBUTIONS[name]
    except KeyError:
        *most, last = DISTRIBUTIONS
        raise InputError(f"there is no noise called {name!r}; write {', '.join(most)} or {last}") from None
