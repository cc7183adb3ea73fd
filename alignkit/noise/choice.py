"""A finite choice: one of several outcomes, by weights that need not add up to 1.

Weights that are fractions give fractions as probabilities, so that the choice can be drawn exactly. An alignment
cannot shift a choice: proofs do not cover it, the exact laws of `alignkit.laws` do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from alignkit.errors import InputError
from alignkit.noise.distribution import Distribution, Support
from alignkit.noise.distribution_parameters import WEIGHTS


def checked_weights(weights: Any) -> Sequence[Any]:
    """The weights, if none is below 0 and one is above.

    >>> checked_weights([1, 0, 2])
    [1, 0, 2]
    >>> checked_weights([1, -1])
    Traceback (most recent call last):
    ...
    alignkit.errors.InputError: noise.choice: weight 1 is -1; write weights of at least 0
    """
    if not isinstance(weights, list | tuple) or not weights:
        raise InputError("noise.choice takes a list of weights, such as noise.choice([1, 2])")
    for i, weight in enumerate(weights):
        if not weight >= 0 or weight == float("inf"):
            raise InputError(f"noise.choice: weight {i} is {weight}; write weights of at least 0")
    if not any(weight > 0 for weight in weights):
        raise InputError("noise.choice: all weights are 0; write one above 0")
    return weights


def _density(x: Any, weights: Any) -> float:
    """weights[x] / sum(weights) for an index x; else 0.

    >>> _density(1, [1, 3]), _density(2, [1, 3])
    (0.75, 0.0)
    """
    whole = checked_weights(weights)
    if x != int(x) or not 0 <= x < len(whole):
        return 0.0
    return float(whole[int(x)] / sum(whole))


def _mean(weights: Any) -> Any:
    """The mean index."""
    return sum(i * w for i, w in enumerate(weights)) / sum(weights)


def _variance(weights: Any) -> Any:
    """The variance of the index."""
    return sum(i * i * w for i, w in enumerate(weights)) / sum(weights) - _mean(weights) ** 2


def _cost(shift: Any, weights: Any) -> Any:
    """0 for no shift; any other is refused."""
    if shift == 0:
        return 0
    raise InputError("a choice of noise.choice cannot be shifted")


def _sample(rng: np.random.Generator, weights: Any, size: Any = None) -> Any:
    """An index, or an array of them; floating point."""
    shares = np.array([float(w) for w in checked_weights(weights)])
    drawn = rng.choice(len(shares), size=size, p=shares / shares.sum())
    return int(drawn) if size is None else drawn


def _formula(x: Any, weights: Any) -> Any:
    """The probability of the index x."""
    return weights[x] / sum(weights)


CHOICE = Distribution(
    name="choice",
    title="Finite choice",
    parameters=(WEIGHTS,),
    support=Support.INDICES,
    density=_density,
    mean=_mean,
    variance=_variance,
    cost=_cost,
    sample=_sample,
    formula=_formula,
    source="Ilvento, Implementing the sparse vector technique and variants: NormalizedSample",
)
