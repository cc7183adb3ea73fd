"""The table of the literature: its rows, programs and page agree, and no claim that is false is proved."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from finding.peer_programs import PROGRAMS
from literature.page import page
from literature.peer_suites import AUDITORIUM, SIZES, row_of
from literature.row import CANNOT, NOT_PRIVATE, PROVED, REFUTED
from literature.rows import FAMILIES, ROWS
from literature.table import PAGE, recorded
from literature.trying import attempt, program_of

HERE = Path(__file__).parent
WITH_PROGRAM = [row for row in ROWS if row.expected != CANNOT]
SAMPLE = (
    "clipped_sum",
    "above_threshold_booleans",
    "two_level_counter",
    "numeric_sparse_vector_same_noise",
    "noisy_min",
    "decision_tree_split",
    "sparse_vector_then_histogram",
    "three_releases_at_the_price_of_two",
    "truncated_laplace",
    "randomised_response",
)


def by_name(name):
    return next(row for row in ROWS if row.name == name)


def test_there_are_at_least_sixty_six_rows_with_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS) >= 66


@pytest.mark.parametrize("row", WITH_PROGRAM, ids=lambda row: row.name)
def test_every_row_has_a_program_that_is_python(row):
    file, name = program_of(row)
    defined = {node.name for node in ast.parse(file.read_text(encoding="utf-8")).body if hasattr(node, "name")}
    assert (name or ("phi" if row.expected in {PROVED, REFUTED} else "")) in {*defined, ""}


def test_every_program_in_this_folder_is_that_of_a_row():
    programs = {file for family in FAMILIES for file in (HERE / family).glob("*.py")}
    assert programs <= {program_of(row)[0] for row in ROWS}


def test_the_page_is_what_the_recorded_outcomes_print():
    outcomes = recorded()
    assert set(outcomes) == {row.name for row in ROWS}
    assert PAGE.read_text(encoding="utf-8") == page(ROWS, outcomes)


def test_no_claim_that_is_false_is_recorded_as_proved():
    for row in ROWS:
        outcome = recorded()[row.name]
        assert not outcome.proved_anyway
        assert not outcome.mismatch
        assert outcome.verdict != "proved" or row.expected == PROVED


def test_the_suites_of_other_tools_are_complete_and_have_rows():
    for tool, size in SIZES.items():
        assert len({name for program in PROGRAMS for named, name in program.names if named == tool}) == size
    for name in [*(row_of(program) for program in PROGRAMS), *(each.row for each in AUDITORIUM)]:
        assert by_name(name)


@pytest.mark.parametrize("name", SAMPLE)
def test_rows_come_out_as_the_page_says(name):
    outcome = attempt(by_name(name))
    assert (outcome.verdict, outcome.scope) == (recorded()[name].verdict, recorded()[name].scope)


@pytest.mark.slow
@pytest.mark.parametrize("row", WITH_PROGRAM, ids=lambda row: row.name)
def test_all_rows_come_out_as_the_page_says(row):
    outcome = attempt(row)
    assert outcome.verdict == recorded()[row.name].verdict
    assert not outcome.mismatch
    assert not outcome.proved_anyway
    if row.expected in {NOT_PRIVATE, REFUTED}:
        assert outcome.verdict != "proved"
