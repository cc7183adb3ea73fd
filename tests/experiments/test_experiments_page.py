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
    t40, kosarak = "T40I10D100K.csv", "kosarak_first_36k.csv"
    top_k = "Noisy Top-K with Gap with Measures"
    left = "budget left after k answers (%)"
    adaptive = "Adaptive SVT with Gap"
    for text, number in (
        ("| {:.1f} % ± 0.1 for k = 25 (16.8)", value(f"2020-figure-1-{t40}", "SVT with Gap with Measures", error, 25)),
        ("| {:.1f} % ± 0.1 for k = 25 (19.2)", value(f"2020-figure-1-{t40}", top_k, error, 25)),
        ("*grows* by {:.0f} %", -value(f"2020-figure-1-{kosarak}", top_k, error, 25)),
        ("| {:.2f} ± 0.01 more |", value(f"2020-figure-3-{t40}", adaptive, "answers", 25) - 25),
        ("| {:.2f} ± 0.01 more, 90 % of all", value(f"journal-figure-4-{t40}", adaptive, "answers", 24) - 24),
        ("{:.0f} % for k = 24 |", value(f"journal-figure-6-{t40}", adaptive, left, 24)),
    ):
        assert text.format(number) in PAGE
