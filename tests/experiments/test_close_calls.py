"""What the gaps are worth where they decide what is measured: the table of docs/experiments.md."""

from __future__ import annotations

from pathlib import Path

import close_calls
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("k", [5, pytest.param(10, marks=pytest.mark.slow), pytest.param(20, marks=pytest.mark.slow)])
def test_the_page_shows_what_the_script_measures(k: int) -> None:
    assert f"{close_calls.HEAD}\n" in PAGE
    assert f"{close_calls.compare(k).row}\n" in PAGE


def test_gaps_find_more_winners_at_the_same_budget_and_measure_the_close_ones_better() -> None:
    found = close_calls.compare(10, runs=200)
    assert found.winners > found.winners_all_measured
    assert found.error_measured < found.error_all_measured
    assert found.error_far > found.error_all_measured, "the price: what is far is known by its gap alone"
