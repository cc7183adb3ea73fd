"""The table of the literature: its rows, programs and page agree, and no claim that is false is proved."""

from __future__ import annotations

import ast
import hashlib
import itertools
from pathlib import Path

import pytest
from finding.peer_programs import PROGRAMS
from literature.peer_suites import AUDITORIUM, SIZES, row_of
from literature.row import CANNOT, NOT_PRIVATE, PROVED, REFUTED
from literature.rows import FAMILIES, ROWS
from literature.table import BLIND, PAGE, first_trial_of, record_of, recorded, whole_page
from literature.trying import attempt, program_of

HERE = Path(__file__).parent
EVERY_ROW = [*ROWS, *itertools.chain.from_iterable(BLIND.values())]
WITH_PROGRAM = [row for row in EVERY_ROW if row.expected != CANNOT]
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
    "noisy_sgd_with_clipped_gradients",
)


ALL_RECORDED = {**recorded(), **{name: said for folder in BLIND for name, said in recorded(record_of(folder)).items()}}
# Of the mechanisms that were written down before they were tried, some that come out as they should, of each kind, and
# do so quickly.
FURTHER_SAMPLE = (
    "privelet_of_four_cells",
    "three_levels_at_the_price_of_two",
    "histogram_with_shared_noise",
    "decayed_sum",
    "thresholdout",
    "answer_with_the_noise_of_the_threshold",
)

# Of the programs of a folder, in the order of their names, as they were before the first trial.
WRITTEN_DOWN = {
    "further": "0657c117b45df5d574b35763e61c57fcfc0ab565f0c94b32d1cc974bcafa1753",
    "fresh": "9ad79a01f409561f7940c76e6cb46ca68bc7ef281fcd65afe99f604f7f82d489",
    "untried": "0abb81e2639768aed820d80c687cd76a47cec22b5a77fab5445406759f91fbe1",
    "unseen": "a5821a0678958380702ee14da6fbdbab7ee45bdd42b426f50ca91d4bfec9e556",
}


def by_name(name):
    return next(row for row in EVERY_ROW if row.name == name)


def test_there_are_at_least_sixty_six_rows_with_names_of_their_own():
    assert len({row.name for row in ROWS}) == len(ROWS) >= 66


def test_every_row_that_was_written_down_before_its_trial_has_a_name_of_its_own():
    assert len({row.name for row in EVERY_ROW}) == len(EVERY_ROW)
    sizes = {folder: len(rows) for folder, rows in BLIND.items()}
    assert sizes == {"further": 36, "fresh": 32, "unseen": 32, "untried": 32}


@pytest.mark.parametrize("row", WITH_PROGRAM, ids=lambda row: row.name)
def test_every_row_has_a_program_that_is_python(row):
    file, name = program_of(row)
    defined = {node.name for node in ast.parse(file.read_text(encoding="utf-8")).body if hasattr(node, "name")}
    assert (name or ("phi" if row.expected in {PROVED, REFUTED} else "")) in {*defined, ""}


def test_every_program_in_this_folder_is_that_of_a_row():
    programs = {file for family in (*FAMILIES, *WRITTEN_DOWN) for file in (HERE / family).glob("*.py")}
    assert programs <= {program_of(row)[0] for row in EVERY_ROW}


@pytest.mark.parametrize("folder", WRITTEN_DOWN)
def test_no_program_was_changed_after_its_first_trial(folder):
    programs = sorted((HERE / folder).glob("*.py"))
    assert hashlib.sha256(b"".join(file.read_bytes() for file in programs)).hexdigest() == WRITTEN_DOWN[folder]


def test_the_page_is_what_the_recorded_outcomes_print():
    assert set(recorded()) == {row.name for row in ROWS}
    for folder, rows in BLIND.items():
        names = {row.name for row in rows}
        assert set(recorded(record_of(folder))) == set(recorded(first_trial_of(folder))) == names
    assert PAGE.read_text(encoding="utf-8") == whole_page()


def test_no_claim_that_is_false_is_recorded_as_proved():
    outcomes = [(row, recorded()[row.name]) for row in ROWS]
    for folder, rows in BLIND.items():
        files = first_trial_of(folder), record_of(folder)
        outcomes += [(row, recorded(file)[row.name]) for file in files for row in rows]
    for row, outcome in outcomes:
        assert not outcome.proved_anyway
        assert not outcome.mismatch
        assert outcome.verdict != "proved" or row.expected == PROVED


def test_the_suites_of_other_tools_are_complete_and_have_rows():
    for tool, size in SIZES.items():
        assert len({name for program in PROGRAMS for named, name in program.names if named == tool}) == size
    for name in [*(row_of(program) for program in PROGRAMS), *(each.row for each in AUDITORIUM)]:
        assert by_name(name)


@pytest.mark.parametrize("name", [*SAMPLE, *FURTHER_SAMPLE])
def test_rows_come_out_as_the_page_says(name):
    outcome, said = attempt(by_name(name)), ALL_RECORDED[name]
    assert (outcome.verdict, outcome.scope) == (said.verdict, said.scope)


@pytest.mark.slow
@pytest.mark.parametrize("row", WITH_PROGRAM, ids=lambda row: row.name)
def test_all_rows_come_out_as_the_page_says(row):
    outcome = attempt(row)
    assert outcome.verdict == ALL_RECORDED[row.name].verdict
    assert not outcome.mismatch
    assert not outcome.proved_anyway
    if row.expected in {NOT_PRIVATE, REFUTED}:
        assert outcome.verdict != "proved"
