"""``[tool.alignkit]`` in the nearest pyproject.toml: how a project has its alignments checked, and its policy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alignkit.gating.policy import Policy
    from alignkit.gating.project_tables import SettingRule

DEFAULT_TIMEOUT = 60.0

# The formats of a report on checks: the last three are for CI systems.
CHECK_FORMATS = ("text", "json", "junit", "sarif", "github")


@dataclass(frozen=True)
class ProjectSettings:
    """The settings of a project, with defaults where it states none. ``jobs`` is None for one process per core."""

    targets: tuple[str, ...] = ()
    timeout: float = DEFAULT_TIMEOUT
    jobs: int | None = None
    format: str = "text"
    seed: int = 0
    confirm: bool = False
    policy: Policy | None = None

    @property
    def confirms(self) -> bool:
        """Whether a second program is asked in full about each proof: as set, or because the policy needs it."""
        return self.confirm or (self.policy is not None and self.policy.confirmed is not None)


def read_settings(folder: Path) -> ProjectSettings:
    """Read the settings for a folder: those of the nearest pyproject.toml in it or above.

    Raises InputError where the file cannot be read, or a setting has a name or a value that is not known.
    """
    from alignkit.gating.project_tables import check_settings, project_table

    table = project_table(folder)
    if table is None:
        return ProjectSettings()
    settings = dict(table.settings)
    check_settings(settings, _rules(), table.where)
    if "policy" in settings:
        from alignkit.gating.policy import read_policy

        settings["policy"] = read_policy(settings["policy"], f"{table.path}, [tool.alignkit.policy]")
    targets = tuple(_target(text, table.path.parent) for text in settings.get("targets", ()))
    return ProjectSettings(**{**settings, "targets": targets})


def _rules() -> dict[str, SettingRule]:
    from alignkit.gating.project_tables import SettingRule, are_strings, is_plain_number

    def whole(least: int) -> SettingRule:
        words = f"a whole number, at least {least}"
        return SettingRule(words, lambda v: is_plain_number(v) and isinstance(v, int) and v >= least)

    return {
        "targets": SettingRule("a list of strings", are_strings),
        "timeout": SettingRule("a number of seconds above 0", lambda v: is_plain_number(v) and 0 < v < float("inf")),
        "jobs": whole(1),
        "format": SettingRule(f"{', '.join(CHECK_FORMATS[:-1])} or {CHECK_FORMATS[-1]}", lambda v: v in CHECK_FORMATS),
        "seed": whole(0),
        "confirm": SettingRule("true or false", lambda v: isinstance(v, bool)),
        "policy": SettingRule("a table, [tool.alignkit.policy]", lambda v: isinstance(v, dict)),
    }


def _target(text: str, folder: Path) -> str:
    """Resolve a target of the settings from their own folder; names of the catalogue stay as they are."""
    place, separator, name = text.partition("::")
    if (folder / place).exists() and place:
        return f"{folder / place}{separator}{name}"
    return text
