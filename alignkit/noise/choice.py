"""A finite choice: one of several outcomes, by weights that need not add up to 1.

Weights that are fractions give fractions as probabilities, so that the choice can be drawn exactly. What a
shift of the index costs depends on the index: `Distribution.cost_at` gives it for a run, and the prover path by path.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import WEIGHTS, checked_weights

if TYPE_CHECKING:
    import numpy as np


def _density(x: Any, weights: Any) -> Any:
    """weights[x] / sum(weights), for an index x.

    >>> _density(1, [1, 3])
    0.75
    """
    return weights[int(x)] / sum(weights)


def _mean(weights: Any) -> Any:
    """The mean index."""
    return sum(i * w for i, w in enumerate(weights)) / sum(weights)


def _variance(weights: Any) -> Any:
    """The variance of the index."""
    return sum(i * i * w for i, w in enumerate(weights)) / sum(weights) - _mean(weights) ** 2


def _cost(shift: Any, weights: Any) -> Any:
    """0 for no shift; what any other costs, `Distribution.cost_at` says for each outcome."""
    if shift == 0:
        return 0
    raise InputError("what a shift of noise.choice costs depends on the outcome")


def _sample(rng: np.random.Generator, weights: Any, size: Any = None) -> Any:
    """An index, or an array of them; floating point."""
    import numpy as np  # here, since what does not sample does not load it

    shares = np.array([float(w) for w in checked_weights(weights)])
    drawn = rng.choice(len(shares), size=size, p=shares / shares.sum())
    return int(drawn) if size is None else drawn


CHOICE = Distribution(
    name="choice",
    title="Finite choice",
    parameters=(WEIGHTS,),
    support=Support.INDICES,
    has_atoms=True,
    density_on_support=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    homogeneous=False,
    source="Ilvento, Implementing the sparse vector technique and variants: NormalizedSample",
)
