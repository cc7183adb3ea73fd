"""Histograms as text: intervals of a round width, one line each."""

from __future__ import annotations

import numpy as np
import pytest

from alignkit.cli.text_histograms import draw_histogram, histogram_of


def labels(numbers: list[float]) -> list[str]:
    lines = draw_histogram(histogram_of(np.array(numbers)), 80, blocks=False)
    return [line.split("  ")[0].strip() or line.split("#")[0].strip() for line in (x.strip() for x in lines)]


@pytest.mark.parametrize(
    ("numbers", "first", "last"),
    [
        ([3.0, 3.0], "3", "3"),
        ([0.0, 7.0], "0", "7"),
        ([0.0, 95.0], "0 to 4", "95 to 99"),
        ([-0.5, 0.25], "-0.50 to -0.45", "0.25 to 0.30"),
        ([0.5, 4.1], "0.4 to 0.6", "4.0 to 4.2"),
        ([1.25], "1 to 2", "1 to 2"),
        ([0.1, 1e9 - 0.5], "0 to 50000000", "950000000 to 1000000000"),
    ],
)
def test_intervals_have_round_bounds(numbers: list[float], first: str, last: str) -> None:
    found = labels(numbers)
    assert (found[0], found[-1]) == (first, last)
    assert len(found) <= 22


def test_a_heavy_tail_shares_one_bar() -> None:
    numbers = [*range(1, 1001), 10**9]
    found = labels(list(map(float, numbers)))
    assert found[0] == "0 to 49"
    assert found[-1] == "1000 or more"
    assert sum(bar.count for bar in histogram_of(np.array(numbers)).bars) == 1001


def test_numbers_on_a_lattice_stand_where_their_interval_begins() -> None:
    bars = histogram_of(np.array([i / 10 for i in range(21)])).bars
    assert [bar.count for bar in bars] == [1] * 21
    assert bars[3].low == 0.3


@pytest.mark.parametrize("numbers", [[], [np.nan], [np.inf]])
def test_nothing_to_show(numbers: list[float]) -> None:
    assert draw_histogram(histogram_of(np.array(numbers)), 80, blocks=True) == []


@pytest.mark.parametrize("numbers", [[-1e308, 1e308], [5e-324, 0.0], [1e17, 1e17 + 16], [1e-300, 3e-300]])
def test_extreme_numbers_are_all_counted(numbers: list[float]) -> None:
    histogram = histogram_of(np.array(numbers))
    assert sum(bar.count for bar in histogram.bars) == len(numbers)
    assert draw_histogram(histogram, 40, blocks=False)


def test_bars_are_as_long_as_the_counts() -> None:
    numbers = np.array([1.0] * 4 + [2.0] * 8 + [3.0])
    assert draw_histogram(histogram_of(numbers), 14, blocks=True) == [
        "1  ████      4", "2  ████████  8", "3  █         1",
    ]  # fmt: skip
    tiny = np.array([1.0] * 1000 + [2.0] * 10)
    assert draw_histogram(histogram_of(tiny), 17, blocks=True)[1].split() == ["2", "▏", "10"]
    assert "#" in draw_histogram(histogram_of(tiny), 17, blocks=False)[1]
