"""The chapter on the plugin: its programs run as it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.pages import section

PAGE = section("gate.md", "## The pytest plugin")
PROOFS, TESTS = (re.search(rf"```python\n# {name}\n(.*?)```", PAGE, re.DOTALL) for name in (
    "proofs/noisy_answer.py", "test_noisy_answer.py",
))  # fmt: skip


@pytest.fixture
def folder(pytester: pytest.Pytester) -> Path:
    assert PROOFS is not None
    assert TESTS is not None
    (pytester.path / "proofs").mkdir()
    (pytester.path / "proofs" / "noisy_answer.py").write_text(PROOFS[1])
    (pytester.path / "test_noisy_answer.py").write_text(TESTS[1])
    return pytester.path


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [("proofs/", 2), ("proofs/noisy_answer.py::phi", 1), ("proofs/ -k noisy_answer", 2), ("", 3)],
)
def test_its_commands(run, folder: Path, arguments: str, passed: int) -> None:
    run(*arguments.split()).assert_outcomes(passed=passed)
