"""The plan of the code: names that stand for one thing, imports that can be followed, rooms that say what they are for.

Each rule has a list of what does not keep it yet. A test fails where something else breaks the rule, and also where
an entry of the list is no longer needed.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

import alignkit

ROOT = Path(alignkit.__file__).parent
ROOMS = {path.parent.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("__init__.py") if path.parent != ROOT}
FILES = {path.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("*.py")}
MODULES = {name: path for name, path in FILES.items() if path.name != "__init__.py"}

PUBLIC_IN_CONFIRMING = {"opinion"}

# Data types that contain one another, and functions that call one another, may be spread over so many files: terms,
# their atoms and formulas; expressions and calls of the language.
LARGEST_CIRCLE = 3


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def defined() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The files in which each public class, and each public function, is defined at the top level."""
    classes: dict[str, set[str]] = defaultdict(set)
    functions: dict[str, set[str]] = defaultdict(set)
    for file, path in FILES.items():
        # The second program shares nothing with the others, and has words of its own for what both are about.
        own = file.startswith("confirming/") and Path(file).stem not in PUBLIC_IN_CONFIRMING
        for statement in () if own else tree(path).body:
            if isinstance(statement, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                where = classes if isinstance(statement, ast.ClassDef) else functions
                if not statement.name.startswith("_"):
                    where[statement.name].add(file)
    return classes, functions


def names(paths: Iterable[str]) -> dict[str, list[str]]:
    """Files and rooms by their last names."""
    by_name = defaultdict(list)
    for path in paths:
        by_name[Path(path).stem].append(path)
    return by_name


def several(where: dict[str, set[str]] | dict[str, list[str]]) -> set[str]:
    return {name for name, files in where.items() if len(files) > 1}


def test_a_name_of_a_class_or_function_stands_for_one_thing() -> None:
    classes, functions = defined()
    assert several(classes) == set()
    assert several(functions) == set()
    assert classes.keys() & functions.keys() == set()


def test_a_name_of_a_file_or_room_occurs_once() -> None:
    assert several(names([*MODULES, *ROOMS])) == set()


def test_no_module_is_named_like_a_public_function() -> None:
    """Such a function hides its module, or the module the function, where a room exports it."""
    _, functions = defined()
    assert names(MODULES).keys() & functions.keys() == set()


def test_no_module_or_room_is_named_like_a_standard_module() -> None:
    assert names([*MODULES, *ROOMS]).keys() & sys.stdlib_module_names == set()


def test_the_wheel_lists_every_room() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))
    names_of_packages = project["tool"]["setuptools"]["packages"]
    listed = {name.removeprefix("alignkit").lstrip(".").replace(".", "/") for name in names_of_packages}
    assert {"", *ROOMS} <= listed


def imported_by_string(path: Path) -> Iterator[str]:
    """The starts of names that a file imports by their text."""
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        text = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
        if function in ("import_module", "__import__") and isinstance(text, ast.Constant):
            yield str(text.value)


def test_no_module_of_alignkit_is_imported_by_a_string() -> None:
    """Neither readers nor the import contract see such an import. Files of users, and sympy, are imported so."""
    own = ("alignkit", ".")
    found = {file for file, path in FILES.items() if any(n.startswith(own) for n in imported_by_string(path))}
    assert found == set()


def circles() -> list[frozenset[str]]:
    """The largest sets of modules that import one another, those that only annotations need included."""
    graph = grimp.build_graph("alignkit", exclude_type_checking_imports=False, cache_dir=None)
    reached = {module: graph.find_upstream_modules(module) for module in graph.modules}
    return list({frozenset({m, *(n for n in reached[m] if m in reached[n])}) for m in graph.modules})


def test_files_that_import_one_another_are_few() -> None:
    assert [sorted(circle) for circle in circles() if len(circle) > LARGEST_CIRCLE] == []


def test_every_room_has_a_doorplate() -> None:
    """The docstring of its ``__init__``: at least two sentences on what the room is for and where to start reading."""
    plates = {room: ast.get_docstring(tree(path)) or "" for room, path in ROOMS.items()}
    bare = {room for room, plate in plates.items() if len(re.findall(r"[.!?](?=\s|$)", plate)) < 2}
    assert bare == set()


# What a doorplate may name besides files and rooms: commands, functions, words of the language.
NO_FILE = {"attack", "explain", "run", "list", "new", "completion", "check", "and", "or"}


def test_a_doorplate_names_files_and_rooms_that_exist() -> None:
    """A name in backquotes, without capitals, dots and blanks, is that of a file or a room; others are not checked."""
    known = names([*MODULES, *ROOMS]).keys() | NO_FILE
    for room, path in ROOMS.items():
        named = set(re.findall(r"``([a-z_0-9]+)/?``", ast.get_docstring(tree(path)) or ""))
        assert named - known == set(), room


@pytest.mark.parametrize(("container", "to_come"), [("alignkit", set()), ("alignkit.proving", set())])
def test_an_import_contract_names_every_room_and_nothing_else(container: str, to_come: set[str]) -> None:
    settings = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = [c for c in settings["tool"]["importlinter"]["contracts"] if c.get("containers") == [container]]
    layers = {name for layer in contract["layers"] for name in re.findall(r"\w+", layer)}
    folder = Path(*container.split(".")[1:])
    rooms = {Path(name).stem for name in [*MODULES, *ROOMS] if Path(name).parent == folder}
    assert layers - rooms == to_come
    assert rooms - layers == set()
