"""The generator of market baskets: what each parameter does, and T40I10D100K beside the counts of the real file."""

from __future__ import annotations

import os
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from quest import QuestParameters, draw_patterns, quest_counts, quest_transactions

from alignkit.data import read_counts

SMALL = QuestParameters(transactions=2000, length=10, pattern_length=4, patterns=200, items=300)


def test_a_seed_gives_the_same_transactions() -> None:
    assert list(quest_transactions(SMALL, seed=3)) == list(quest_transactions(SMALL, seed=3))
    assert list(quest_transactions(SMALL, seed=3)) != list(quest_transactions(SMALL, seed=4))


def test_transactions_are_sorted_sets_of_the_items() -> None:
    transactions = list(quest_transactions(SMALL, seed=1))
    assert len(transactions) == 2000
    for transaction in transactions:
        assert transaction
        assert all(a < b for a, b in pairwise(transaction))
        assert 0 <= transaction[0] <= transaction[-1] < 300


def test_counts_are_those_of_the_transactions() -> None:
    counts = quest_counts(SMALL, seed=1)
    items = [item for transaction in quest_transactions(SMALL, seed=1) for item in transaction]
    assert list(counts.counts) == np.bincount(items, minlength=300).tolist()
    assert counts.transactions == 2000


def test_the_average_size_is_near_its_target() -> None:
    """A pattern that overshoots is kept half of the time, so that the average is near T."""
    sizes = [len(transaction) for transaction in quest_transactions(SMALL, seed=1)]
    assert 9 < np.mean(sizes) < 11


def test_without_loss_or_correlation_a_transaction_is_a_union_of_patterns() -> None:
    parameters = QuestParameters(300, 8, 3, 40, 100, correlation=0, confidence=1, deviation=0)
    patterns = draw_patterns(parameters, np.random.default_rng(5))
    rows = [set(row[:n].tolist()) for row, n in zip(patterns.items, patterns.lengths)]
    for transaction in quest_transactions(parameters, seed=5):
        held = [row for row in rows if row <= set(transaction)]
        assert set().union(*held) == set(transaction)


def test_a_small_confidence_cuts_patterns_to_pieces() -> None:
    def whole_patterns(confidence: float) -> int:
        parameters = QuestParameters(500, 20, 10, 50, 200, confidence=confidence, deviation=0)
        patterns = draw_patterns(parameters, np.random.default_rng(2))
        heaviest = set(patterns.items[patterns.weights.argmax()].tolist()) - {-1}
        return sum(heaviest <= set(transaction) for transaction in quest_transactions(parameters, seed=2))

    assert whole_patterns(1.0) > 2 * whole_patterns(0.1) > 0


@pytest.mark.parametrize(("correlation", "least", "most"), [(0, 0.0, 0.15), (0.25, 0.2, 0.5), (5, 0.8, 1.0)])
def test_a_pattern_shares_items_with_the_one_before(correlation: float, least: float, most: float) -> None:
    patterns = draw_patterns(QuestParameters(correlation=correlation, patterns=500), np.random.default_rng(1))
    rows = [set(row[:n].tolist()) for row, n in zip(patterns.items, patterns.lengths)]
    assert all(len(row) == n for row, n in zip(rows, patterns.lengths))
    assert least <= np.mean([len(a & b) / len(b) for a, b in pairwise(rows) if len(b) <= len(a)]) <= most


def test_patterns_longer_than_the_items_hold_all_items() -> None:
    parameters = QuestParameters(pattern_length=4, items=4, length=4, patterns=50)
    patterns = draw_patterns(parameters, np.random.default_rng(1))
    assert patterns.lengths.max() == 4


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"transactions": 0}, "transactions must be a whole number, from 1 to 10,000,000, not 0"),
        ({"items": 10**9}, "items must be a whole number, from 1 to 10,000,000, not 1000000000"),
        ({"length": 0.5}, "length must be a number, from 1 to 1000, not 0.5"),
        ({"length": float("nan")}, "length must be a number"),
        ({"confidence": 1.5}, "confidence must be a number, from 0 to 1"),
        ({"correlation": -1}, "correlation must be a number, at least 0, not -1"),
        ({"deviation": "0.1"}, "deviation must be a number"),
    ],
)
def test_bad_parameters(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        QuestParameters(**wrong)


@pytest.mark.slow
def test_t40i10d100k_is_like_the_real_file() -> None:
    """The real file has 942 items, 755 of them with 1000 transactions or more; its head is given, sorted."""
    folder = os.environ.get("ALIGNKIT_DATA")
    if not folder:
        pytest.skip("ALIGNKIT_DATA is not set: it names the folder of the real data sets")
    real = np.sort(read_counts(Path(folder) / "T40I10D100K_head_counts.csv").counts)[::-1]
    made = np.sort(quest_counts(seed=0).counts)[::-1]
    assert int((real >= 1000).sum()) == 755
    assert 725 <= (made >= 1000).sum() <= 785
    assert 930 <= (made > 0).sum() <= 955
    assert abs(made[:806].sum() / real.sum() - 1) < 0.03
    assert np.mean(np.abs(made[:755] / real[:755] - 1)) < 0.06


def test_the_defaults_are_those_of_t40i10d100k() -> None:
    assert QuestParameters().name == "T40I10D100K"
    some = list(islice(quest_transactions(seed=0), 500))
    assert 36 < np.mean([len(transaction) for transaction in some]) < 43
