"""``[tool.alignkit]`` in the nearest pyproject.toml: defaults for ``alignkit check``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from alignkit.cli.options import CHECK_FORMATS, cores
from alignkit.errors import InputError

DEFAULT_TIMEOUT = 60.0


@dataclass(frozen=True)
class ProjectSettings:
    """The settings of a project, with defaults where it states none. Targets are paths from the current folder."""

    targets: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    jobs: int = field(default_factory=cores)
    format: str = "text"
    seed: int = 0


def read_settings(folder: Path) -> ProjectSettings:
    """Read the settings for a folder: those of the nearest pyproject.toml in it or above.

    Raises InputError where the file cannot be read, or a setting has a name or a value that is not known.
    """
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if os.path.isfile(path):  # a folder above may be closed to this user
            return _read(path)
    return ProjectSettings()


def _read(path: Path) -> ProjectSettings:
    import tomllib

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
    tool = document.get("tool")
    table = tool.get("alignkit", {}) if isinstance(tool, dict) else {}
    where = f"{path}, [tool.alignkit]"
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table")
    _check(table, where)
    targets = tuple(_target(text, path.parent) for text in table.get("targets", ()))
    return ProjectSettings(**{**table, "targets": targets})


def _check(table: dict[str, Any], where: str) -> None:
    rules = {
        "targets": ("a list of strings", _are_strings),
        "timeout": ("a number of seconds above 0", lambda v: _is_number(v) and 0 < v < float("inf")),
        "jobs": ("a whole number, at least 1", lambda v: _is_number(v) and isinstance(v, int) and v >= 1),
        "format": (f"{', '.join(CHECK_FORMATS[:-1])} or {CHECK_FORMATS[-1]}", lambda v: v in CHECK_FORMATS),
        "seed": ("a whole number, at least 0", lambda v: _is_number(v) and isinstance(v, int) and v >= 0),
    }
    for key in table:
        if key not in rules:
            raise InputError(f"{where}: there is no setting {key!r}; the settings are {', '.join(rules)}")
    for key, value in table.items():
        expected, holds = rules[key]
        if not holds(value):
            raise InputError(f"{where}: {key} must be {expected}, not {value!r}")


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(x, str) for x in value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _target(text: str, folder: Path) -> str:
    """Resolve a target of the settings from their own folder; names of the catalogue stay as they are."""
    place, separator, name = text.partition("::")
    if (folder / place).exists() and place:
        return f"{folder / place}{separator}{name}"
    return text
