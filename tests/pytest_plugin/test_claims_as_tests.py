"""Claims that functions implement mechanisms are tests, and a fixture compares within a test."""

from __future__ import annotations

import os
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_plugin.users_programs import HEAD, PROVED, TOO_CHEAP

SHIPPED = """
import numpy as np

def answer(value, epsilon):
    return value + np.random.laplace(scale=1 / epsilon)

def wrong(value, epsilon):
    return value + np.random.laplace(scale=epsilon)
"""

CLAIMS = """
from alignkit import implements
import shipped_answers

good = implements(noisy_answer, call=lambda f, q, eps: f(q, eps))(shipped_answers.answer)
"""

BAD = "bad = implements(noisy_answer, call=lambda f, q, eps: f(q, eps))(shipped_answers.wrong)\n"

IN_A_TEST = """
import shipped_answers

def test_noisy(alignkit_implements):
    from proofs_of_answers import noisy_answer
    found = alignkit_implements(shipped_answers.answer, noisy_answer, call=lambda f, q, eps: f(q, eps), n=2)
    assert found.implements

def test_wrong(alignkit_implements):
    from proofs_of_answers import noisy_answer
    alignkit_implements(shipped_answers.wrong, noisy_answer, call=lambda f, q, eps: f(q, eps))
"""


@pytest.fixture
def shipped(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A library, an empty cache, and a folder for proofs."""
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(pytester.path / "verdicts"))
    monkeypatch.syspath_prepend(pytester.path)
    (pytester.path / "shipped_answers.py").write_text(SHIPPED)
    (pytester.path / "proofs").mkdir()
    yield pytester.path
    for name in ("shipped_answers", "proofs_of_answers"):
        sys.modules.pop(name, None)


def test_a_claim_passes_where_it_is_shown_and_fails_with_the_report(run, shipped: Path) -> None:
    (shipped / "proofs" / "answers.py").write_text(HEAD + PROVED + CLAIMS + BAD)
    result = run("-v", "proofs")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["proofs/answers.py::good PASSED*", "proofs/answers.py::bad FAILED*"])
    result.stdout.fnmatch_lines(
        ["DIFFERS  shipped_answers:wrong as noisy_answer", "It differs: *", "In plain floats the function gives *"]
    )
    run("proofs/answers.py::good").assert_outcomes(passed=1)
    run("proofs", "-k", "noisy_answer and good").assert_outcomes(passed=1, deselected=2)


def test_a_verdict_is_kept_unless_there_is_to_be_no_cache(run, shipped: Path) -> None:
    (shipped / "proofs" / "answers.py").write_text(HEAD + CLAIMS)
    for file in shipped.rglob("*.py"):
        os.utime(file, (1_700_000_000, 1_700_000_000))  # a file that was written this moment may be written again

    def cached(*flags: str) -> bool:
        run("proofs", "--junitxml=report.xml", *flags).assert_outcomes(passed=1)
        properties = ElementTree.parse(shipped / "report.xml").iter("property")
        return "cached" in {str(p.get("name")) for p in properties}

    assert [cached(), cached(), cached("--alignkit-no-cache")] == [False, True, False]


def test_the_policy_requires_a_proof_of_the_mechanism(run, shipped: Path) -> None:
    (shipped / "pyproject.toml").write_text("[tool.alignkit.policy]\nimplementations = true\n")
    (shipped / "proofs" / "answers.py").write_text(HEAD + PROVED + CLAIMS)
    run("proofs").assert_outcomes(passed=2)
    (shipped / "proofs" / "answers.py").write_text(HEAD + TOO_CHEAP + CLAIMS)
    result = run("proofs/answers.py::good")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["policy broken by shipped_answers:answer: no alignment of noisy_answer is proved*"])


def test_the_proof_may_stand_in_another_file_of_the_targets(run, shipped: Path) -> None:
    settings = '[tool.alignkit]\ntargets = ["proofs"]\n[tool.alignkit.policy]\nimplementations = true\n'
    (shipped / "pyproject.toml").write_text(settings)
    (shipped / "proofs" / "answers.py").write_text(HEAD + CLAIMS)
    imports = "from alignkit import alignment\nfrom answers import noisy_answer\n"
    (shipped / "proofs" / "answers_proof.py").write_text(imports + PROVED)
    run("proofs/answers.py").assert_outcomes(passed=1)


def test_the_fixture_compares_within_a_test(run, shipped: Path) -> None:
    (shipped / "proofs_of_answers.py").write_text(HEAD + PROVED)
    (shipped / "test_ships.py").write_text(IN_A_TEST)
    result = run("test_ships.py")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["DIFFERS  shipped_answers:wrong as noisy_answer"])
