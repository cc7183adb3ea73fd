"""docs/experiments.md shows figures that are there, are small, and agree with the tables beside them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from figure_plans import EXPERIMENTS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "experiments.md").read_text(encoding="utf-8")
FIGURES = re.findall(r"!\[([\w-]+)\]\((figures/[\w-]+\.png)\)", PAGE)


def test_every_experiment_has_its_figure_and_no_file_is_left_over() -> None:
    assert {name for name, _ in FIGURES} == set(EXPERIMENTS)
    files = {path.relative_to(DOCS).as_posix() for path in (DOCS / "figures").glob("*.png")}
    assert {file for _, file in FIGURES} == files


@pytest.mark.parametrize("file", [file for _, file in FIGURES])
def test_a_figure_is_small_and_has_its_table(file: str) -> None:
    path = DOCS / file
    assert path.stat().st_size < 60_000
    rows = list(csv.DictReader(path.with_suffix(".csv").read_text(encoding="utf-8").splitlines()))
    assert {row["experiment"] for row in rows} == {name for name, shown in FIGURES if shown == file}


def value(file: str, procedure: str, quantity: str, k: int) -> float:
    rows = csv.DictReader((DOCS / "figures" / file).read_text(encoding="utf-8").splitlines())
    (found,) = [row for row in rows if (row["procedure"], row["quantity"], row["k"]) == (procedure, quantity, str(k))]
    return float(found["value"])


def test_numbers_of_the_page_are_those_of_the_tables() -> None:
    error = "reduction of squared error (%)"
    t40, kosarak = "T40I10D100K_head_counts.csv", "kosarak_first_36k.csv"
    top_k = "Noisy Top-K with Gap with Measures"
    left = "budget left after k answers (%)"
    adaptive = "Adaptive SVT with Gap"
    for text, number in (
        ("| {:.1f} % ± 0.1 for k = 25 (16.8)", value(f"2020-figure-1-{t40}", "SVT with Gap with Measures", error, 25)),
        ("| {:.1f} % ± 0.1 for k = 25 (19.2)*", value(f"2020-figure-1-{t40}", top_k, error, 25)),
        ("*grows* by {:.0f} %", -value(f"2020-figure-1-{kosarak}", top_k, error, 25)),
        ("| {:.2f} ± 0.01 more |", value(f"2020-figure-3-{t40}", adaptive, "answers", 25) - 25),
        ("| {:.2f} ± 0.02 more, 88 % of all", value(f"journal-figure-4-{t40}", adaptive, "answers", 24) - 24),
        ("{:.0f} % for k = 24 |", value(f"journal-figure-6-{t40}", adaptive, left, 24)),
    ):
        assert text.format(number) in PAGE


def test_a_star_marks_what_differs_from_its_formula() -> None:
    """Those by k: of each number of the page that has one, whether it is more than three standard errors away."""
    for figure, procedure, k, text in (
        ("2020-figure-1", "SVT with Gap with Measures", 25, "17.0 % ± 0.1 for k = 25 (16.8) |"),
        ("2020-figure-1", "Noisy Top-K with Gap with Measures", 25, "18.4 % ± 0.1 for k = 25 (19.2)* |"),
        ("journal-figure-2", "SVT with Gap, Laplace noise", 24, "SVT 41.7 % ± 0.2 (41.6), "),
        ("journal-figure-2", "Noisy Top-K with Gap, Laplace noise", 24, "Top-K 47.6 % ± 0.2 (47.9) |"),
        ("journal-figure-2", "SVT with Gap, exponential noise", 24, "57.7 % ± 0.2 exponential and "),
        ("journal-figure-2", "SVT with Gap, geometric noise", 24, "57.3 % ± 0.2 geometric (58.7)*, "),
        ("journal-figure-2", "Noisy Top-K with Gap, exponential noise", 24, "Top-K 63.8 % ± 0.2 (63.9) |"),
    ):
        rows = csv.DictReader(
            (DOCS / "figures" / f"{figure}-T40I10D100K_head_counts.csv").read_text(encoding="utf-8").splitlines()
        )
        (row,) = [row for row in rows if (row["procedure"], row["k"]) == (procedure, str(k))]
        apart = abs(float(row["value"]) - float(row["theory"])) > 3 * float(row["standard_error"])
        assert text in PAGE
        assert f"{float(row['value']):.1f} %" in text
        assert apart == ("*" in text or "exponential and" in text)
