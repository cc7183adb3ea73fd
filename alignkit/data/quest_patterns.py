"""The patterns of the IBM Quest generator: sets of items that are often bought together.

Source: Agrawal and Srikant, Fast Algorithms for Mining Association Rules, VLDB 1994, Section 4.1 ("Synthetic Data
Generation").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from alignkit.arguments import whole
from alignkit.errors import InputError

if TYPE_CHECKING:
    import numpy as np

_LARGEST = 10_000_000


@dataclass(frozen=True)
class QuestParameters:
    """What the IBM Quest generator is told; the defaults make T40I10D100K.

    Attributes
    ----------
    transactions
        The number of transactions, D.
    length
        The average target size of a transaction, T.
    pattern_length
        The average length of a pattern, I.
    patterns
        The number of patterns, L.
    items
        The number of items, N; they are 0, …, N − 1.
    correlation
        The average share of a pattern that is taken from the pattern before it.
    confidence, deviation
        The mean and the standard deviation of the normal distribution of a pattern's confidence: with a probability of
        1 − confidence each, further items are dropped from a pattern when a transaction takes it.

    >>> QuestParameters().name, QuestParameters(transactions=500, length=5, pattern_length=2).name
    ('T40I10D100K', 'T5I2D500')
    """

    transactions: int = 100_000
    length: float = 40
    pattern_length: float = 10
    patterns: int = 2000
    items: int = 1000
    correlation: float = 0.25
    confidence: float = 0.75
    deviation: float = 0.1

    def __post_init__(self) -> None:
        for name in ("transactions", "patterns", "items"):
            if whole(getattr(self, name), name, 1) > _LARGEST:
                raise InputError(f"{name} must be at most {_LARGEST:,}, not {getattr(self, name)}")
        for name, least, most in (
            ("length", 1, self.items),
            ("pattern_length", 1, self.items),
            ("correlation", 0, math.inf),
            ("confidence", 0, 1),
            ("deviation", 0, math.inf),
        ):
            value = getattr(self, name)
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if not (is_number and least <= value <= most):
                bounds = f"from {least} to {most}" if most < math.inf else f"at least {least}"
                raise InputError(f"{name} must be a number, {bounds}, not {value!r}")

    @property
    def name(self) -> str:
        """The name that such data has in the literature."""
        thousands, rest = divmod(self.transactions, 1000)
        size = f"{self.transactions}" if rest else f"{thousands}K"
        return f"T{self.length:g}I{self.pattern_length:g}D{size}"


@dataclass(frozen=True)
class Patterns:
    """The patterns, a row each; a row is filled up with −1.

    Attributes
    ----------
    items
        The items of each pattern, in an array of shape (patterns, longest pattern).
    lengths
        The number of items of each pattern.
    weights
        The probability that a transaction takes a pattern; they sum to 1.
    confidences
        The probability, for each pattern, that no further item is dropped.
    """

    items: np.ndarray[Any, Any]
    lengths: np.ndarray[Any, Any]
    weights: np.ndarray[Any, Any]
    confidences: np.ndarray[Any, Any]


def draw_patterns(parameters: QuestParameters, rng: np.random.Generator) -> Patterns:
    """Draw the patterns.

    >>> import numpy as np
    >>> drawn = draw_patterns(QuestParameters(patterns=50), np.random.default_rng(1))
    >>> drawn.items.shape[0], float(drawn.weights.sum().round(9)), bool(sum(drawn.items[0] >= 0) == drawn.lengths[0])
    (50, 1.0, True)
    """
    import numpy as np

    item_weights = rng.exponential(size=parameters.items)
    item_weights /= item_weights.sum()
    lengths = np.minimum(1 + rng.poisson(parameters.pattern_length - 1, parameters.patterns), parameters.items)
    rows = np.full((parameters.patterns, lengths.max()), -1, dtype=np.int64)
    before = np.empty(0, dtype=np.int64)
    for row, length in zip(rows, lengths, strict=True):
        wanted = math.floor(length * parameters.correlation * rng.exponential() + 0.5)
        shared = rng.permutation(before)[: min(wanted, length)]
        before = np.concatenate([shared, _further(shared, int(length), item_weights, rng)])
        row[:length] = before
    weights = rng.exponential(size=parameters.patterns)
    # A confidence of 0 would drop items without end; one above 1 drops none, as 1 does.
    confidences = rng.normal(parameters.confidence, parameters.deviation, parameters.patterns).clip(0.01, 1)
    return Patterns(rows, lengths, weights / weights.sum(), confidences)


def _further(
    taken: np.ndarray[Any, Any], length: int, weights: np.ndarray[Any, Any], rng: np.random.Generator
) -> np.ndarray[Any, Any]:
    """Items that are drawn by weight, all distinct, until there are ``length`` with those that are taken."""
    left = weights.copy()
    left[taken] = 0
    number = length - len(taken)
    return rng.choice(len(weights), number, replace=False, p=left / left.sum()) if number else taken[:0]
