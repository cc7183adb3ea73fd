"""The figures of both papers, measured with few runs on T40I10D100K, or on generated market baskets like it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from figure_plans import EXPERIMENTS
from measure_figures import experiment_data, run_experiment
from results import TableRow, rows_of

from alignkit import DataError
from alignkit.data import ItemCounts

pytestmark = pytest.mark.slow

REDUCTION = "reduction of squared error (%)"


@pytest.fixture(scope="module")
def baskets() -> ItemCounts:
    try:
        return experiment_data("T40I10D100K_head_counts.csv", tail=136)
    except DataError:
        return experiment_data("T40I10D100K")


def at_the_end(name: str, data: ItemCounts, runs: int) -> dict[tuple[str, str], TableRow]:
    """The last point of a figure: the largest k, or the largest budget."""
    experiment = replace(EXPERIMENTS[name], settings=EXPERIMENTS[name].settings[-1:])
    rows = rows_of(experiment, data, run_experiment(experiment, data, runs=runs, seed=1))
    return {(row.procedure, row.quantity): row for row in rows}


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("2020-figure-1", 12, 20), ("2020-figure-2", 8, 20), ("journal-figure-2", 35, 66), ("journal-figure-3", 25, 66)],
)
def test_the_error_falls_as_the_formulas_say(baskets: ItemCounts, name: str, least: float, most: float) -> None:
    """Within six standard errors, with a fixed seed."""
    for row in at_the_end(name, baskets, 150).values():
        assert least < row.theory < most
        assert abs(row.value - row.theory) < 6 * row.standard_error
        assert row.value > 0.6 * row.theory


def test_adaptive_sparse_vector_gives_more_answers(baskets: ItemCounts) -> None:
    for name, k in (("2020-figure-3", 25), ("journal-figure-4", 24)):
        rows = at_the_end(name, baskets, 100)
        plain, adaptive = (rows[label, "answers"].value for label in ("SVT", "Adaptive SVT with Gap"))
        assert plain == k
        assert 14 < adaptive - plain <= k - 1
        wrong, right = (rows[label, "false positives"].value for label in ("Adaptive SVT with Gap", "SVT"))
        assert wrong - right < 1


def test_the_f_measure_is_half_as_large_again(baskets: ItemCounts) -> None:
    rows = at_the_end("journal-figure-5", baskets, 100)
    ratio = rows["Adaptive SVT with Gap", "F-measure"].value / rows["SVT", "F-measure"].value
    assert 1.35 < ratio < 1.75
    assert rows["Adaptive SVT with Gap", "precision"].value > 0.98


def test_about_forty_percent_of_the_budget_is_left(baskets: ItemCounts) -> None:
    (row,) = (row for (_, quantity), row in at_the_end("journal-figure-6", baskets, 100).items() if "left" in quantity)
    assert 38 < row.value < row.theory < 45
