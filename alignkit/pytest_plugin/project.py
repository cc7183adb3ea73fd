"""The settings of the project that pytest runs in. What reads them is imported only where there may be some."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from alignkit.gating.project_file import nearest_project_file

if TYPE_CHECKING:
    from alignkit.gating.project_settings import ProjectSettings

_BEGAN = pytest.StashKey[int]()
_SETTINGS = pytest.StashKey["ProjectSettings"]()


def may_have_settings(config: pytest.Config) -> bool:
    """Tell whether the pyproject.toml of the project mentions alignkit; in doubt it does not."""
    path = nearest_project_file(_folder(config))
    try:
        return path is not None and b"alignkit" in path.read_bytes()
    except OSError:
        return False


def settings_of_run(config: pytest.Config) -> ProjectSettings:
    """Return the settings of the project, which are read once in a run.

    Raises InputError where they cannot be read, or one of them is not known.
    """
    if _SETTINGS not in config.stash:
        from alignkit.gating.project_settings import read_settings

        config.stash[_SETTINGS] = read_settings(_folder(config))
    return config.stash[_SETTINGS]


def note_begin(config: pytest.Config) -> None:
    """Note the time at which a run begins, before it imports tests and proof files."""
    config.stash[_BEGAN] = time.time_ns()


def run_began(config: pytest.Config) -> int:
    """Return when the run began, in nanoseconds."""
    return config.stash[_BEGAN]


def policy_file(config: pytest.Config) -> Path | None:
    """Return the file that states the policy of the run, None where none has been read."""
    settings = config.stash.get(_SETTINGS, None)
    return None if settings is None or settings.policy is None else nearest_project_file(_folder(config))


def _folder(config: pytest.Config) -> Path:
    """Return the folder of the project: that of pytest's own pyproject.toml, or else the root directory."""
    own = config.inipath
    return own.parent if own is not None and own.name == "pyproject.toml" else config.rootpath
