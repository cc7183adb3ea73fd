"""Pages of the reference that are made from the code: the Python interface, and the help of each command."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import alignkit
from alignkit.cli import main
from alignkit.cli.entry import COMMANDS

_ROOMS = ("results", "confirming", "implementing", "attacking", "laws", "releasing", "utility", "explaining", "data")
MODULES = [f"alignkit.{room}" for room in _ROOMS]
"""Documented modules whose public names are not all names of ``alignkit``."""


def write_reference(to: Path) -> None:
    """Write the pages into the folder ``reference`` of ``to``."""
    folder = to / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    modules = [alignkit, *map(importlib.import_module, MODULES)]
    shown: set[int] = set()
    for module in modules:
        (folder / f"{module.__name__}.rst").write_text(_interface(module, shown), encoding="utf-8")
    (folder / "help.md").write_text(help_page(), encoding="utf-8")


def _interface(module: ModuleType, shown: set[int]) -> str:
    """The page of a module in reStructuredText; what an earlier page has shown is left out."""
    title = f"The module {module.__name__}"
    parts = [f"{title}\n{'=' * len(title)}\n", _introduction(module)]
    for heading, names in _by_kind(module, shown).items():
        if names:
            directive = {"Functions": "autofunction", "Classes": "autoclass", "Errors": "autoexception"}.get(heading)
            parts.append(f"{heading}\n{'-' * len(heading)}\n")
            parts += [_directive(module, name, directive) for name in names]
    return "\n".join(parts)


def _introduction(module: ModuleType) -> str:
    if module is alignkit:
        return (
            "What ``alignkit`` exports. :doc:`../python_api` introduces these names by examples; "
            ":doc:`../language` says what a mechanism may contain.\n"
        )
    first = (inspect.getdoc(module) or "").partition("\n\n")[0]
    return f"{first}\n"


def _by_kind(module: ModuleType, shown: set[int]) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": [], "Values": []}
    for name in sorted(module.__all__, key=str.lower):
        value = getattr(module, name)
        if name.startswith("__") or id(value) in shown:
            continue
        shown.add(id(value))
        if inspect.isclass(value):
            kinds["Errors" if issubclass(value, Exception) else "Classes"].append(name)
        else:
            kinds["Functions" if inspect.isroutine(value) else "Values"].append(name)
    return kinds


def _directive(module: ModuleType, name: str, directive: str | None) -> str:
    if directive is None:
        value = getattr(module, name)
        words = (inspect.getdoc(value) if type(value).__module__ != "builtins" else None) or ""
        return f".. py:data:: {module.__name__}.{name}\n\n   {words.partition(chr(10))[0]}\n"
    members = "\n   :members:" if directive == "autoclass" else ""
    return f".. {directive}:: {module.__name__}.{name}{members}\n"


def help_page() -> str:
    """The help of alignkit and of each command, as they print it on a terminal of 80 columns."""
    head = (
        "# The help of each command\n\nThis is what `alignkit --help` and `alignkit COMMAND --help` print. "
        "[The command line](../command_line.md) says more.\n"
    )
    return "\n".join([head, *_help_sections()])


def _help_sections() -> Iterator[str]:
    for command in ("", *COMMANDS):
        words = f"alignkit {command}".strip()
        yield f"## {words}\n\n```text\n{help_of(command)}```\n"


def help_of(command: str) -> str:
    """What ``alignkit COMMAND --help`` prints; the help of alignkit itself for an empty command."""
    before = {name: os.environ.get(name) for name in ("COLUMNS", "NO_COLOR")}
    os.environ.update(COLUMNS="80", NO_COLOR="1")
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
            main([*filter(None, [command]), "--help"])
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
    return printed.getvalue()
