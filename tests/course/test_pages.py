"""What the notebooks and pages of the course name exists: files, links, commands, names of Python."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import runpy
from pathlib import Path

import pytest
from support.exercises import COURSE, EXERCISES, number

import alignkit
from alignkit.catalogue.targets import find_alignments
from alignkit.cli.entry import COMMANDS
from alignkit.running.adjacency import Adjacency

ROOT = COURSE.parents[1]
PAGE = COURSE / "README.md"
PRAISE: dict[int, str] = runpy.run_path(str(COURSE / "course_kit" / "praise.py"))["PRAISE"]
IDS = [path.stem for path in EXERCISES]
# What the texts may name beside what stands in their own code.
KNOWN = {"alignkit", *alignkit.__all__, *dir(builtins), *keyword.kwlist, *map(str, Adjacency), "direction"}


def texts(exercise: Path) -> list[str]:
    """The Markdown of a notebook: the constant texts that its cells are called with."""
    calls = [node for node in ast.walk(ast.parse(exercise.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    arguments = [a for call in calls if ast.unparse(call.func) in ("mo.md", "hints") for a in call.args]
    told = [a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return [*told, PRAISE[number(exercise)]]


def named(exercise: Path) -> set[str]:
    """Every name and every text that the code of a notebook uses."""
    found = set()
    for node in ast.walk(ast.parse(exercise.read_text(encoding="utf-8"))):
        for field in ("id", "attr", "arg", "name"):
            found.add(getattr(node, field, None))
        if isinstance(node, ast.Constant):
            found.add(node.value)
    return {name for name in found if isinstance(name, str)}


@pytest.mark.parametrize("path", EXERCISES, ids=IDS)
def test_the_names_in_its_texts_exist(path: Path) -> None:
    known = KNOWN | named(path)
    for span in re.findall(r"`([^`]+)`", "\n".join(texts(path))):
        if span.startswith("alignkit "):
            command_exists(span, path.parent)
        elif span.endswith(".md"):
            assert (ROOT / span).is_file(), span
        else:
            # Names in a formula or statement, less texts in quotes and what the statement itself defines.
            for name in re.findall(r"[^\W\d]\w*\b(?! ?=[^=])", re.sub(r'"[^"]*"', "", span)):
                assert name in known, f"{span}: {name}"


@pytest.mark.parametrize("path", EXERCISES, ids=IDS)
def test_what_is_said_of_a_right_answer_is_not_there_before(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"exercise=(\d+)", text) == [str(number(path))]
    assert not [said for said in PRAISE.values() if said[:30] in " ".join(text.split())]


def command_exists(line: str, folder: Path) -> None:
    """The command, and its target: a file beside it, or a mechanism of the catalogue."""
    _, command, *arguments = re.sub(r" --html \S+", "", line).split()
    assert command in COMMANDS, line
    for target in arguments if command in ("check", "explain") else ():
        file = target.partition("::")[0]
        assert (folder / file).is_file() if file.endswith(".py") else find_alignments([target]), line


@pytest.mark.parametrize("path", EXERCISES, ids=IDS)
def test_other_exercises_that_it_names_exist(path: Path) -> None:
    for other in re.findall(r"exercise (\d+)", "\n".join(texts(path))):
        assert int(other) < number(path)


def test_the_links_and_commands_of_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert link.startswith("https://") or (PAGE.parent / link).exists(), link
    for line in re.findall(r"^alignkit .*$|(?<=`)alignkit [a-z]+ [^`]+(?=`)", text, re.MULTILINE):
        command_exists(line, PAGE.parent)
    for file in re.findall(r"exercise_\w+\.py", text):
        assert (COURSE / file).is_file(), file


def test_the_minutes_are_the_same_everywhere() -> None:
    minutes = {}
    for path in EXERCISES:
        [stated] = re.findall(r"\*About (\d+) minutes\.", "\n".join(texts(path)))
        minutes[number(path)] = int(stated)
    page = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d+): .*\]\((\S+)\) \| .* \| (\d+) \|$", page, re.MULTILINE)
    assert {int(n): int(m) for n, _, m in rows} == minutes
    sessions = re.findall(r"^\| \d \| (\d+)(?:, (\d+))? \| (\d+) \|", page, re.MULTILINE)
    assert {one: int(m) for one, _, m in sessions} == {
        one: sum(minutes[int(n)] for n in (one, two) if n) + 10 for one, two, _ in sessions
    }
    assert sorted(int(n) for one, two, _ in sessions for n in (one, two) if n) == sorted(minutes)


def test_there_is_a_page_to_project_for_each_session() -> None:
    projected = re.findall(r"^\| \d \| \d.*\| `(\w+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(projected) == 6
    assert all(find_alignments([name]) for name in projected)


def test_the_titles_are_the_same_everywhere() -> None:
    titles = {number(path): re.findall(r"# Exercise \d+: (.*)", "\n".join(texts(path)))[0] for path in EXERCISES}
    page = PAGE.read_text(encoding="utf-8")
    assert {int(n): title for n, title in re.findall(r"\[(\d+): (.*?)\]\(exercise", page)} == titles
    assert {int(n): title for n, title in re.findall(r"^#### (\d+): (.*)$", page, re.MULTILINE)} == titles
