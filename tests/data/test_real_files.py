"""The real data sets, where the environment variable ALIGNKIT_DATA names the folder that holds them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from alignkit.data import read_counts, read_transactions


@pytest.fixture
def real_data() -> Path:
    folder = os.environ.get("ALIGNKIT_DATA")
    if not folder:
        pytest.skip("ALIGNKIT_DATA is not set: it names the folder of the real data sets")
    return Path(folder)


def test_t10i4d100k_complete(real_data: Path) -> None:
    counts = read_counts(real_data / "T10I4D100K.dat.gz")
    assert (counts.transactions, len(counts.items), sum(counts.counts)) == (100_000, 870, 1_010_228)
    assert max(zip(counts.counts, counts.items)) == (7828, "368")


def test_kosarak_first_36k(real_data: Path) -> None:
    path = real_data / "kosarak_first_36k.dat.gz"
    counts = read_counts(path)
    assert (counts.transactions, len(counts.items)) == (36_682, 17_034)
    assert len(read_transactions(path)) == 36_682


def test_t40i10d100k_counts(real_data: Path) -> None:
    counts = read_counts(real_data / "T40I10D100K_head_counts.csv")
    assert (counts.transactions, len(counts.items), counts.format) == (None, 806, "item,count")
    assert dict(zip(counts.items, counts.counts))["368"] == 28_738
