"""Functions of libraries, as pip installs them, get the verdicts of docs/code_that_runs_results.md."""

from __future__ import annotations

from importlib.util import find_spec

import pytest
from public_functions.case import Case
from public_functions.run import CASES, Result, run_alone

INSTALLABLE = [case for case in CASES if case.source.distribution]


@pytest.mark.slow
@pytest.mark.parametrize("case", INSTALLABLE, ids=[case.name for case in INSTALLABLE])
def test_a_function_of_an_installed_library(case: Case) -> None:
    package = case.where.partition(".")[0]
    if find_spec(package) is None:
        pytest.skip(f"{case.source.distribution}, which has {package}, is not installed")
    found = run_alone(case)
    assert isinstance(found, Result)
    assert found.verdict == case.expected, found


def test_the_libraries_are_three_and_each_is_named_by_its_distribution() -> None:
    """A case that no installed library can have is run from fetched files only."""
    assert {case.source.distribution for case in INSTALLABLE} == {"diffprivlib", "pipeline-dp", "smartnoise-synth"}
