"""`[tool.alignkit]` in pyproject.toml."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_a_project_chooses_its_targets_and_format(cli, mine: Path, here: Path, monkeypatch) -> None:
    (here / "pyproject.toml").write_text('[tool.alignkit]\ntargets = ["mine.py"]\nformat = "json"\ntimeout = 30\n')
    below = here / "notes"
    below.mkdir()
    monkeypatch.chdir(below)
    ran = cli("check")
    assert ran.code == 0
    assert [r["mechanism"] for r in json.loads(ran.out)["results"]] == ["mine"]


def test_flags_win_over_the_settings(cli, mine: Path, here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.alignkit]\ntargets = ["nothing.py"]\nformat = "json"\n')
    ran = cli("check", "mine.py", "--format", "text")
    assert ran.code == 0
    assert ran.out.startswith("PROVED")


def test_a_pyproject_without_settings_changes_nothing(cli, mine: Path, here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.other]\nkey = 1\n")
    assert cli("check", "mine.py").code == 0


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("job = 2", "there is no setting 'job'; did you mean `jobs`? the settings are targets, "),
        ("policy = 3", "policy must be a table, [tool.alignkit.policy], not 3"),
        ("jobs = 0", "jobs must be a whole number"),
        ("jobs = true", "jobs must be a whole number"),
        ("timeout = -1", "timeout must be a number of seconds above 0"),
        ('targets = "mine.py"', "targets must be a list of strings"),
        ('format = "yaml"', "format must be text, json, junit, sarif or github"),
        ('confirm = "no"', "confirm must be true or false"),
        ("seed = ", "cannot be read"),
    ],
)
def test_bad_settings_name_the_file(cli, mine: Path, here: Path, setting: str, words: str) -> None:
    (here / "pyproject.toml").write_text(f"[tool.alignkit]\n{setting}\n")
    ran = cli("check", "mine.py")
    assert ran.code == 2
    assert "pyproject.toml" in ran.err
    assert words in ran.err
