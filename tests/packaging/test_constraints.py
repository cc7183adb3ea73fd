"""What make installs is locked: constraints.txt covers pyproject.toml, and every installation uses it."""

from __future__ import annotations

import datetime
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LINES = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
PINS = [Requirement(line) for line in LINES if line and not line.lstrip().startswith("#")]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
ASKED = [
    *PROJECT["dependencies"],
    *(requirement for extra in PROJECT["optional-dependencies"].values() for requirement in extra),
    *PYPROJECT["build-system"]["requires"],
]
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("asked", dict.fromkeys(ASKED))
def test_every_dependency_is_pinned_to_a_version_it_allows(asked: str, python: str) -> None:
    requirement = Requirement(asked)
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    [pin] = [
        pin
        for pin in PINS
        if canonicalize_name(pin.name) == canonicalize_name(requirement.name)
        and (pin.marker is None or pin.marker.evaluate(environment))
    ]
    [specifier] = pin.specifier
    assert specifier.operator == "=="
    assert requirement.specifier.contains(specifier.version)


def test_the_pins_are_for_all_supported_pythons() -> None:
    supported = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if re.search(r"Python :: 3\.\d", name)]
    assert supported == PYTHONS


def test_the_file_names_versions_only() -> None:
    for pin in PINS:
        assert pin.url is None
        assert not pin.extras  # pip refuses constraints with extras
    text = "\n".join(LINES)
    for unwanted in ("file:", "--hash", "sha256", "--index-url", "--find-links", "/"):
        assert unwanted not in text


def test_the_file_says_how_and_when_it_was_made() -> None:
    header = [line for line in LINES[:5] if line.startswith("#")]
    assert any("make lock" in line for line in header)
    [date] = [line.removeprefix("# Date: ") for line in header if line.startswith("# Date: ")]
    assert datetime.date.fromisoformat(date) >= datetime.date(2020, 1, 1)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What make looks at, with an environment in which everything is installed already."""
    for name in ("Makefile", "constraints.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    for name in ("bin/python", ".runtime", ".test", ".docs", ".bench"):
        path = tmp_path / ".venv" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def make(*arguments: str, folder: Path) -> str:
    """What make prints; it is told nothing of a make that runs these tests."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    command = ["make", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True).stdout


def commands(*arguments: str, folder: Path) -> str:
    """What make would run."""
    return make("--dry-run", *arguments, folder=folder)


@pytest.mark.parametrize("stamp", [".venv/.runtime", ".venv/.test", ".venv/.docs", ".venv/.bench"])
def test_new_constraints_are_installed(checkout: Path, stamp: str) -> None:
    assert "pip" not in commands(stamp, folder=checkout)
    [installing] = [
        line for line in commands("-W", "constraints.txt", stamp, folder=checkout).splitlines() if " install " in line
    ]
    # The second variable reaches pip's build environment in new versions of pip.
    assert "PIP_CONSTRAINT='constraints.txt' PIP_BUILD_CONSTRAINT='constraints.txt'" in installing


def test_the_newest_versions_have_an_environment_of_their_own(checkout: Path) -> None:
    lines = commands("test-newest", folder=checkout).splitlines()
    [installing] = [line for line in lines if "pip" in line and " install " in line]
    assert "PIP_CONSTRAINT='' PIP_BUILD_CONSTRAINT=''" in installing
    assert ".venv-newest/bin/python" in installing
    assert lines[0] == "rm -rf .venv-newest"
    assert any(line.startswith(".venv-newest/bin/python -m pytest") for line in lines)


def test_help_names_every_target(checkout: Path) -> None:
    [phony] = re.findall(r"^\.PHONY: (.*)$", (checkout / "Makefile").read_text(), re.MULTILINE)
    printed = make("help", folder=checkout)
    assert {line.split()[1] for line in printed.splitlines()} == set(phony.split()) - {"help"}


def age(*arguments: str | Path) -> str:
    done = subprocess.run([ROOT / ".ci/lock-age", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_age_of_the_lock_in_days(tmp_path: Path) -> None:
    made = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=40)
    path = tmp_path / "constraints.txt"
    path.write_text(f"# Made by make.\n# Date: {made}\nnumpy==2.0\n")
    assert re.fullmatch(rf"locked versions: 4[01] days old \({made}\)\n", age(path))
    assert re.fullmatch(r"locked versions: \d+ days old \(\S+\)\n", age())


@pytest.mark.parametrize("text", ["numpy==2.0\n", "# Date: soon\n", "# Date: 2026-99-99\n", None])
def test_an_unknown_age_is_no_failure(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "constraints.txt"
    if text is not None:
        path.write_text(text)
    assert age(path) == "locked versions: age unknown\n"
