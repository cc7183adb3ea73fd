"""What docs/attacks.md says of libraries holds: its first example always, the others where they are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "attacks.md"
OPTIONAL = "diffprivlib and opendp are of the optional extra `libraries`"


def section(title: str) -> list[tuple[str, str]]:
    """The examples of a section, each with the output the page shows."""
    (text,) = [part for part in PAGE.read_text().split("\n### ") if part.startswith(title)]
    return re.findall(r"```python\n(.*?)```\s+```\n(.*?)```", text, flags=re.DOTALL)


def rounded(text: str) -> str:
    """Output without its figures."""
    return re.sub(r"\d+(\.\d+)?", "#", text)


def run(title: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, dict[str, Any]]]:
    """What each example shows and prints, and its names."""
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    for code, shown in section(title):
        exec(compile(code, str(PAGE), "exec"), names)
        found.append((shown, capsys.readouterr().out, names))
    assert found
    return found


def test_a_function_of_your_own(capsys: pytest.CaptureFixture[str]) -> None:
    ((shown, printed, names),) = run("A function of your own", capsys)
    assert names["bound"].violates
    # The figures are those of numpy's generator, which may change with its version.
    assert rounded(printed).splitlines()[0] == rounded(shown).splitlines()[0]
    assert printed.splitlines()[-1] == shown.splitlines()[-1]
    assert 2.0 < names["bound"].loss <= 2.5


def test_diffprivlib(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("diffprivlib", reason=OPTIONAL)
    (added, printed, names), (replaced, printed_, _) = run("diffprivlib", capsys)
    assert rounded(printed) == rounded(added)
    assert rounded(printed_).splitlines()[0] == rounded(replaced).splitlines()[0]
    assert names["added"].loss <= 1.0 < names["replaced"].loss <= 2.0


def test_opendp(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("opendp", reason=OPTIONAL)
    ((shown, printed, names),) = run("OpenDP", capsys)
    assert rounded(printed) == rounded(shown)
    assert 0.7 < names["bound"].loss <= 1.0
