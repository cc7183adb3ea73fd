"""Test ids are the same in every process: the suite refuses those that are made from sets or memory addresses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

CONFTEST = f"""
import sys
sys.path.insert(0, {str(TESTS)!r})
from support.written_ids import pytest_pycollect_makeitem
"""

HEAD = """
import pytest

class Event:
    def __init__(self, members):
        self.members = members
    def __repr__(self):
        return f"an event of {self.members}"
"""

# By the name of a file: its test, and what the refusal says.
REFUSED = {
    "printed_sets": (
        "@pytest.mark.parametrize('wanted', [{-1, -2}, {1}], ids=str)",
        "the function `ids` makes an id of a set",
    ),
    "joined_members": (
        "@pytest.mark.parametrize('wanted', [{-1, -2}], ids=lambda s: '-'.join(map(str, s)))",
        "the function `ids` makes an id of a set",
    ),
    "second_of_two": (
        "@pytest.mark.parametrize('wanted, n', [(1, 2), pytest.param(1, frozenset({-1, -2}))], ids=str)",
        "the function `ids` makes an id of a set",
    ),
    "inside_another_value": (
        "@pytest.mark.parametrize('wanted', [Event({-1, -2})], ids=repr)",
        "its id is printed from a set",
    ),
    "inside_a_list": (
        "@pytest.mark.parametrize('wanted', [[frozenset([-1, -2])]], ids=repr)",
        "its id is printed from a set",
    ),
    "text_of_a_set": (
        "@pytest.mark.parametrize('wanted', [str({-1, -2})])",
        "its id is printed from a set",
    ),
    "written_by_a_fixture": (
        "@pytest.fixture(params=[{-1, -2}], ids=str)\ndef wanted(request):\n    return request.param\n",
        "its id is printed from a set",
    ),
    "order_of_the_parameters": (
        "@pytest.mark.parametrize('wanted', {-1, -2})",
        "its parameters are a set",
    ),
    "order_of_the_ids": (
        "@pytest.mark.parametrize('wanted', [1, 2], ids={'a', 'b'})",
        "its ids are a set",
    ),
    "memory_address": (
        "@pytest.mark.parametrize('wanted', [object()], ids=str)",
        "its id holds a memory address",
    ),
}  # fmt: skip

TAKEN = {
    "written": "@pytest.mark.parametrize('wanted', [{-1, -2}, {1}], ids=['both signs', 'one'])",
    "written_beside_a_function": "@pytest.mark.parametrize('wanted', [pytest.param({-1, -2}, id='both'), 3], ids=str)",
    "numbered": "@pytest.mark.parametrize('wanted', [{-1, -2}, {1}])",
    "left_to_pytest": "@pytest.mark.parametrize('wanted, n', [({-1, -2}, 1)], ids=lambda x: getattr(x, 'name', None))",
    "text_of_a_program": "@pytest.mark.parametrize('wanted', ['x = {-1, -2}\\\\nreturn 1 in {1, 2}'])",
    "dictionary": "@pytest.mark.parametrize('wanted', [{-1: 2, -2: 3}], ids=str)",
}  # fmt: skip


def write(folder: Path, name: str, decorator: str) -> None:
    path = folder / f"test_{name}.py"
    path.write_text(
        f"{HEAD}\n{decorator}\ndef test_of_{name}(wanted{', n' if ', n' in decorator else ''}):\n    pass\n"
    )


def collect(folder: Path) -> str:
    """What pytest says when it collects a folder in a process of its own that writes compiled files."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    pytest_ = (sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    done = subprocess.run([*pytest_, folder], cwd=folder, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "conftest.py").write_text(CONFTEST)
    for name, (decorator, _) in REFUSED.items():
        write(folder, name, decorator)
    for name, decorator in TAKEN.items():
        write(folder, name, decorator)
    return folder


@pytest.fixture(scope="module")
def reports(project: Path) -> tuple[str, str]:
    """Of a run that compiles the files and of one that reads the compiled files."""
    return collect(project), collect(project)


@pytest.mark.parametrize("name", REFUSED)
def test_an_id_that_may_differ_is_refused(reports: tuple[str, str], name: str) -> None:
    for report in reports:
        [line] = [line for line in report.splitlines() if line.startswith(f"test_{name}.py::")]
        assert f"test_of_{name}" in line
        assert REFUSED[name][1] in line
        assert "Write" in line


@pytest.mark.parametrize("name", TAKEN)
def test_other_ids_are_taken_and_stay_the_same(reports: tuple[str, str], name: str) -> None:
    first, second = (
        [line for line in report.splitlines() if line.startswith(f"test_{name}.py::")] for report in reports
    )
    assert first == second
    assert first
    assert not any("Write" in line for line in first)


def test_compiled_files_were_written_and_read(project: Path, reports: tuple[str, str]) -> None:
    assert list(project.glob("__pycache__/test_written.*.pyc"))
