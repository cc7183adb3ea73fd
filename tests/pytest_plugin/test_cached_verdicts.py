"""Tests of alignments take verdicts from the user's cache, and say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.cached_programs import SPARSE

_PROPERTIES = """
import json

def pytest_runtest_logreport(report):
    if report.when == "call":
        with open("seen.txt", "a") as file:
            print(json.dumps(dict(report.user_properties)), file=file)
"""


def seen(pytester: pytest.Pytester) -> list[bool]:
    path = pytester.path / "seen.txt"
    found = ["cached" in json.loads(line) for line in path.read_text().splitlines()]
    path.unlink()
    return found


@pytest.fixture
def cache(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(pytester.path / "cache"))
    pytester.makeconftest(_PROPERTIES)
    pytester.makepyfile(mine_proofs=SPARSE)
    return pytester.path / "cache"


def test_a_second_run_takes_verdicts_from_the_cache(pytester: pytest.Pytester, cache: Path) -> None:
    outcomes = []
    for flags in ((), (), ("--alignkit-no-cache",)):
        pytester.runpytest_subprocess(*flags).assert_outcomes(passed=2)
        outcomes.append(seen(pytester))
    assert outcomes == [[False, False], [True, True], [False, False]]


@pytest.mark.slow
def test_the_fixture_checks_anew(pytester: pytest.Pytester, cache: Path) -> None:
    """Its result is a test's to use, for a release for example."""
    pytester.makepyfile(
        test_it="""
        from mine_proofs import phi

        def test_phi(alignkit_check):
            assert not alignkit_check(phi).cached
        """
    )
    pytester.runpytest_subprocess("mine_proofs.py").assert_outcomes(passed=2)
    pytester.runpytest_subprocess("test_it.py").assert_outcomes(passed=1)


def test_a_broken_mechanism_is_not_served(pytester: pytest.Pytester, cache: Path) -> None:
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
    pytester.makepyfile(mine_proofs=SPARSE.replace("laplace(2 / eps)", "laplace(1 / eps)"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)


def test_a_cache_that_cannot_be_used_fails_no_test(pytester: pytest.Pytester, cache: Path) -> None:
    cache.write_text("")
    pytester.runpytest_subprocess().assert_outcomes(passed=2)
