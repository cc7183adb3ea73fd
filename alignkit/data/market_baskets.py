"""Transactions of the IBM Quest generator: synthetic market baskets such as T40I10D100K.

Source: Agrawal and Srikant, Fast Algorithms for Mining Association Rules, VLDB 1994, Section 4.1.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alignkit.arguments import path as read_path
from alignkit.arguments import whole
from alignkit.data.counts import ItemCounts
from alignkit.data.quest_patterns import Patterns, QuestParameters, draw_patterns
from alignkit.errors import DataError

if TYPE_CHECKING:
    import os

    import numpy as np

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
    import numpy as np

    parameters = parameters or QuestParameters()
    rng = np.random.default_rng(whole(seed, "seed"))
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
    import numpy as np

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
    import numpy as np

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


def write_transactions(path: str | os.PathLike[str], transactions: Iterable[Iterable[object]]) -> None:
    r"""Write transactions as a FIMI file: a line each, items separated by blanks.

    Raises DataError where the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "baskets.dat")
    ...     write_transactions(path, [(1, 2), (3,)])
    ...     path.read_text()
    '1 2\n3\n'
    """
    place = Path(read_path(path, "the data file"))
    try:
        with place.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(" ".join(map(str, transaction)) + "\n" for transaction in transactions)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise DataError(f"{place} cannot be written: {reason}") from None
