"""The problems of a run as workflow commands, which GitHub shows beside the lines of a change.

The commands and their escapes are those of https://docs.github.com/actions/reference/workflow-commands-for-github-actions
and of the toolkit's ``command.ts`` (https://github.com/actions/toolkit).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from alignkit.reporting.legal_characters import legal_text
from alignkit.reporting.problems_for_ci import CiProblem, place_shown

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def github_report(problems: Sequence[CiProblem], root: Path) -> str:
    """Write a command for each problem, one a line; paths are relative to ``root``, the top of the repository."""
    return "".join(f"{_command(problem, root)}\n" for problem in problems)


def _command(problem: CiProblem, root: Path) -> str:
    properties: dict[str, str] = {}
    if problem.file is not None:
        properties["file"] = place_shown(problem.file, root)[0]
    if problem.file is not None and problem.line is not None:
        properties["line"] = str(problem.line)
        if problem.column is not None:
            properties["col"] = str(problem.column)
    properties["title"] = problem.title
    shown = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in properties.items())
    text = f"{problem.summary}\n\n{problem.details}" if problem.details else problem.summary
    level = "notice" if problem.level == "note" else problem.level
    return f"::{level} {shown}::{_escaped(text, _DATA)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in legal_text(text))
