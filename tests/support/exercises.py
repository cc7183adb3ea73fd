"""The notebooks of docs/course: as they are given, and with answers filled in."""

from __future__ import annotations

import ast
import re
import runpy
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

COURSE = Path(__file__).resolve().parents[2] / "docs" / "course"

Definition = ast.FunctionDef | ast.Assign


def number(exercise: Path) -> int:
    """The number of an exercise or of a solution."""
    return int(exercise.stem.split("_")[1])


EXERCISES = sorted(COURSE.glob("exercise_*.py"), key=number)


def exercise(wanted: int) -> Path:
    """The notebook of an exercise."""
    [path] = [path for path in EXERCISES if number(path) == wanted]
    return path


def solution(wanted: int) -> str:
    """The text of the solution of an exercise."""
    return (COURSE / "solutions" / f"exercise_{wanted}.py").read_text(encoding="utf-8")


def definitions(text: str) -> dict[str, Definition]:
    """Each function at the top of a file, and each variable that is assigned there or in a cell."""
    found: dict[str, Definition] = {}
    top = ast.parse(text).body
    cells = [node for cell in top if isinstance(cell, ast.FunctionDef) and cell.name == "_" for node in cell.body]
    for node in (*top, *cells):
        if isinstance(node, ast.FunctionDef) and node.name != "_":
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return found


def source(text: str, node: Definition) -> str:
    """The lines of a definition, with its decorators."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[_first(node) - 1 : node.end_lineno])


def blanks(exercise: Path) -> dict[str, str]:
    """What is to be filled in, by name."""
    text = exercise.read_text(encoding="utf-8")
    found = {name: source(text, node) for name, node in definitions(text).items()}
    return {name: lines for name, lines in found.items() if re.search(r"\bTODO\b", lines)}


def solved(exercise: Path) -> str:
    """The text of a notebook with the solution filled in."""
    answers = solution(number(exercise))
    by_name = definitions(answers)
    return filled(exercise, {name: source(answers, by_name[name]) for name in blanks(exercise)})


def filled(exercise: Path, answers: Mapping[str, str]) -> str:
    """The text of a notebook in which definitions are replaced by others of the same names."""
    text = exercise.read_text(encoding="utf-8")
    by_name = definitions(text)
    lines = text.splitlines(keepends=True)
    for name in sorted(answers, key=lambda name: -by_name[name].lineno):
        node = by_name[name]
        decorator = "@app.function\n" if isinstance(node, ast.FunctionDef) else ""
        answer = textwrap.indent(decorator + answers[name], " " * node.col_offset)
        lines[_first(node) - 1 : node.end_lineno] = [answer.rstrip() + "\n"]
    return "".join(lines)


def run(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What a notebook prints last where it is run as a script: the feedback on the answer."""
    path = folder / "notebook.py"
    path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(COURSE)
    capsys.readouterr()
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    [start] = [found.start() for found in re.finditer(r"^[A-Z][A-Z ]+: ", printed, re.MULTILINE)]
    return printed[start:]


def _first(node: Definition) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
