"""``[tool.alignkit]`` in the nearest pyproject.toml, and the check of a table against the settings that there are."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alignkit.errors import InputError
from alignkit.gating.project_file import nearest_project_file
from alignkit.language.hints import did_you_mean


@dataclass(frozen=True)
class ProjectTable:
    """The table ``[tool.alignkit]`` of a file, empty where the file has none."""

    path: Path
    settings: Mapping[str, Any]

    @property
    def where(self) -> str:
        """The place of the table, for messages."""
        return f"{self.path}, [tool.alignkit]"


@dataclass(frozen=True)
class SettingRule:
    """What the value of a setting must be, in words, and whether a value is that."""

    expected: str
    holds: Callable[[Any], bool]


def project_table(folder: Path) -> ProjectTable | None:
    """Read the table for a folder: that of the nearest pyproject.toml in it or above, None where there is no such file.

    Raises InputError where the file cannot be read.
    """
    path = nearest_project_file(folder)
    return None if path is None else _read(path)


def _read(path: Path) -> ProjectTable:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
    tool = document.get("tool")
    table = ProjectTable(path, tool.get("alignkit", {}) if isinstance(tool, dict) else {})
    if not isinstance(table.settings, dict):
        raise InputError(f"{table.where} must be a table")
    return table


def check_settings(settings: Mapping[str, Any], rules: Mapping[str, SettingRule], where: str) -> None:
    """Raise InputError for a setting that has no rule, or whose value breaks its rule."""
    for key in settings:
        if key not in rules:
            hint = did_you_mean(key, rules)
            raise InputError(f"{where}: there is no setting {key!r}; {hint}the settings are {', '.join(rules)}")
    for key, value in settings.items():
        if not rules[key].holds(value):
            raise InputError(f"{where}: {key} must be {rules[key].expected}, not {value!r}")


def are_strings(value: object) -> bool:
    """Tell whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(x, str) for x in value)


def is_plain_number(value: object) -> bool:
    """Tell whether a value is a number; a Boolean is none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
