"""The IBM Quest generator: synthetic market baskets such as T40I10D100K.

Source: Agrawal and Srikant, Fast Algorithms for Mining Association Rules, VLDB 1994, Section 4.1 ("Synthetic Data
Generation").
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.data import ItemCounts

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
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= _LARGEST:
                raise ValueError(f"{name} must be a whole number, from 1 to {_LARGEST:,}, not {value!r}")
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
                raise ValueError(f"{name} must be a number, {bounds}, not {value!r}")

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

    >>> drawn = draw_patterns(QuestParameters(patterns=50), np.random.default_rng(1))
    >>> drawn.items.shape[0], float(drawn.weights.sum().round(9)), bool(sum(drawn.items[0] >= 0) == drawn.lengths[0])
    (50, 1.0, True)
    """
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


# Patterns that are chosen and cut at once: their random numbers fill some megabytes.
_AT_ONCE = 8192


def quest_transactions(parameters: QuestParameters | None = None, *, seed: int = 0) -> Iterator[tuple[int, ...]]:
    """Generate transactions, each the sorted items that it holds; the defaults are those of T40I10D100K.

    A transaction has a target size, 1 + Poisson(T − 1), and takes patterns until it has that many items. A pattern with
    which it has more goes to the next transaction instead, half of the time. A seed always gives the same transactions.

    >>> small = QuestParameters(transactions=3, length=4, pattern_length=2, patterns=20, items=30)
    >>> [len(transaction) > 0 for transaction in quest_transactions(small, seed=1)]
    [True, True, True]
    """
    parameters = parameters or QuestParameters()
    rng = np.random.default_rng(seed)
    cut = _cut_patterns(draw_patterns(parameters, rng), rng)
    targets = 1 + rng.poisson(parameters.length - 1, parameters.transactions)
    put_off: list[list[int]] = []
    for target in targets.tolist():
        transaction: set[int] = set()
        while not transaction:
            _fill(transaction, target, itertools.chain(_taken(put_off), cut), put_off, rng)
        yield tuple(sorted(transaction))


def _taken(put_off: list[list[int]]) -> Iterator[list[int]]:
    while put_off:
        yield put_off.pop()


def _fill(
    transaction: set[int],
    target: int,
    patterns: Iterable[list[int]],
    put_off: list[list[int]],
    rng: np.random.Generator,
) -> None:
    for pattern in patterns:
        if len(transaction) + len(pattern) > target and rng.random() > 0.5:
            put_off.append(pattern)
            return
        transaction.update(pattern)
        if len(transaction) >= target:
            return


def _cut_patterns(patterns: Patterns, rng: np.random.Generator) -> Iterator[list[int]]:
    """Patterns by weight, without end, each cut to some of its items at random; an empty one is left out."""
    columns = np.arange(patterns.items.shape[1])
    ends = patterns.weights.cumsum()
    while True:
        chosen = np.searchsorted(ends, rng.random(_AT_ONCE) * ends[-1], side="right")
        dropped = rng.geometric(patterns.confidences[chosen]) - 1
        lengths = patterns.lengths[chosen]
        order = rng.random((_AT_ONCE, len(columns)))
        order[columns >= lengths[:, None]] = 2.0  # what fills a row up comes last
        items = np.take_along_axis(patterns.items[chosen], order.argsort(axis=1), axis=1).tolist()
        for row, kept in zip(items, (lengths - dropped).tolist(), strict=True):
            if kept > 0:
                yield row[:kept]


def quest_counts(parameters: QuestParameters | None = None, *, seed: int = 0) -> ItemCounts:
    """Count the items of generated transactions, without keeping these; all N items are counted, also those with 0.

    >>> counts = quest_counts(QuestParameters(transactions=100, items=50, patterns=30, length=5), seed=1)
    >>> counts.transactions, len(counts.items), counts.source
    (100, 50, 'generated T5I10D100, seed 1')
    """
    parameters = parameters or QuestParameters()
    totals: np.ndarray[Any, Any] = np.zeros(parameters.items, dtype=np.int64)
    for some in _in_groups(quest_transactions(parameters, seed=seed)):
        totals += np.bincount(np.fromiter(itertools.chain.from_iterable(some), np.int64), minlength=parameters.items)
    items = tuple(map(str, range(parameters.items)))
    source = f"generated {parameters.name}, seed {seed}"
    return ItemCounts(items, tuple(totals.tolist()), parameters.transactions, source)


def _in_groups(transactions: Iterator[tuple[int, ...]]) -> Iterator[list[tuple[int, ...]]]:
    while some := list(itertools.islice(transactions, 4096)):
        yield some
