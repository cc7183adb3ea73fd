"""docs/code_that_runs_results.md has the cases as they are: functions, mechanisms, names and the expected verdicts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from public_functions import mechanisms_beside, page
from public_functions.case import Case, mechanism_named
from public_functions.run import CASES
from public_functions.sources import SOURCES

from alignkit import ABOVE, BELOW
from alignkit.attacking import Event, certify
from alignkit.implementing import Conformity
from alignkit.running.mechanism_decorator import Mechanism

PAGE = (Path(__file__).parents[2] / "docs" / "code_that_runs_results.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("\n## All cases\n")[2]
ROWS = [line[2:-2].split(" | ") for line in TABLE.splitlines() if line.startswith("| ")][1:]
BY_NAME = {case.name: case for case in CASES}


def test_every_case_has_a_row_in_order() -> None:
    assert [row[0] for row in ROWS] == [case.name for case in CASES]
    assert len(BY_NAME) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_row_is_that_of_its_case(case: Case) -> None:
    (row,) = [row for row in ROWS if row[0] == case.name]
    assert row[:4] == page.stated_columns(case)
    assert row[4] == case.expected
    if case.expected is Conformity.IMPLEMENTS:
        assert int(row[6]) > 0
        assert row[5] == (str(case.lengths[0]) if case.lengths else "3" if has_list(case) else "1")
    else:
        assert row[5:7] == [page.NOTHING, page.NOTHING]


def has_list(case: Case) -> bool:
    return any(parameter.vector for parameter in mechanism_named(case.mechanism).parameters.values())


def test_the_figures_of_the_page_are_those_of_its_table() -> None:
    text = " ".join(PAGE.split())
    verdicts = [row[4] for row in ROWS]
    counts = {verdict: verdicts.count(verdict) for verdict in Conformity}
    functions = {(case.source.repository, case.source.commit, case.where) for case in CASES}
    assert f"There are {len(CASES)} cases of {len(functions)} functions" in text
    implementing, differing, cut, unsupported = (counts[verdict] for verdict in Conformity)
    assert f"{implementing} implement their mechanism, {differing} differ with an example, {cut} are cut" in text
    assert f"and {unsupported} are unsupported" in text
    unnamed = sum(row[3] == page.NOTHING for row in ROWS if row[4] == Conformity.IMPLEMENTS)
    assert f"{unnamed} of the {implementing} need no sampler" in text
    seconds = sorted(float(row[7]) for row in ROWS)
    median, most = seconds[len(seconds) // 2], seconds[-1]
    assert f"takes {median} s of the processor in the median, {most} s at most" in text


@pytest.mark.parametrize("name", [*page.BUGS, *page.HALF_THE_NOISE, *page.SUBTLE])
def test_a_difference_that_is_described_is_one(name: str) -> None:
    """It stands above the table, with its example where there is one."""
    case = BY_NAME[name]
    assert case.expected in (Conformity.DIFFERS, Conformity.CUT)
    text = PAGE.partition("\n## What was not decided\n")[0]
    assert f"* {page.function_link(case)}" in text
    words = page.BUGS.get(name) or page.SUBTLE.get(name) or ""
    for part in re.findall(r"`(\w+)`", words):
        known = {row[2].removesuffix(" *").strip("`") for row in ROWS}
        named = {c.where.rpartition(":")[2] for c in CASES}
        assert part in known | named | {"laplace", "searchsorted", "cut", "sensitivity"}


@pytest.mark.parametrize("name", page.HALF_THE_NOISE)
def test_what_has_half_the_noise_implements_such_a_mechanism(name: str) -> None:
    half = BY_NAME[f"{name}, half"]
    assert half.where == BY_NAME[name].where
    assert half.expected is Conformity.IMPLEMENTS
    assert half.mechanism in ("noisy_max_with_half_the_noise", "noisy_max_delta_half")


def test_a_sparse_vector_with_half_the_noise_loses_more_than_its_claim() -> None:
    inputs = {"q": [4, 4, 2, 4, 2, 1], "q_": [5, 5, 3, 5, 3, 0], "T": 0, "k": 1, "delta": 1, "eps": 1}
    bound = certify(mechanisms_beside.sparse_vector_delta_half, event=Event((BELOW,) * 5 + (ABOVE,)), **inputs)
    assert "a loss of 1.4993 at ε = 1 is certified" in " ".join(PAGE.split())
    assert bound.loss >= 1.4993


def test_every_mechanism_beside_the_catalogue_is_used_and_read() -> None:
    beside = {name for name, value in vars(mechanisms_beside).items() if isinstance(value, Mechanism)}
    assert beside == {case.mechanism for case in CASES if case.beside}


def test_every_source_is_used_and_is_a_commit() -> None:
    assert {id(source) for source in SOURCES} == {id(case.source) for case in CASES}
    for source in SOURCES:
        assert not source.known or (re.fullmatch(r"[0-9a-f]{40}", source.commit) and source.files)
