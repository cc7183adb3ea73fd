"""Alignments with delta as tests: their property, and a policy that does not accept them."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from support import claims_with_delta
from support.claims_with_delta import CLAIM, DELTA


@pytest.fixture
def keys(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "400")
    (pytester.path / "proofs").mkdir()
    source = Path(claims_with_delta.__file__).read_text(encoding="utf-8")
    (pytester.path / "proofs" / "keys.py").write_text(source, encoding="utf-8")
    return pytester.path


def state(project: Path, settings: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.alignkit]\n{settings}\n")


def test_a_proof_passes_with_its_delta_as_a_property(run, keys: Path) -> None:
    state(keys, "")
    run("proofs/keys.py::key_phi", "--junitxml=report.xml").assert_outcomes(passed=1)
    [test] = ElementTree.parse(keys / "report.xml").iter("testcase")
    stated = {p.get("name"): p.get("value") for p in test.iter("property")}
    assert stated == {"verdict": "proved", "claim": "eps", "delta": DELTA}


def test_a_policy_must_accept_delta(run, keys: Path) -> None:
    state(keys, 'policy = { claims = { "*" = "eps" } }')
    result = run("proofs/keys.py::key_phi")
    result.assert_outcomes(failed=1)
    assert f'write delta = {{ noisy_key = "{DELTA}" }}' in result.stdout.str()
    assert f"claim: {CLAIM}" in result.stdout.str()
    state(keys, f'policy = {{ delta = "{DELTA}" }}')
    run("proofs/keys.py::key_phi").assert_outcomes(passed=1)
