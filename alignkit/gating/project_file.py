"""Which pyproject.toml holds for a folder. It imports the standard library only, for plugins that are always loaded."""

from __future__ import annotations

import os
from pathlib import Path


def nearest_project_file(folder: Path) -> Path | None:
    """Return the nearest pyproject.toml, in a folder or above it; None where there is no such file."""
    for place in (folder, *folder.parents):
        path = place / "pyproject.toml"
        if os.path.isfile(path):  # a folder above may be closed to this user
            return path
    return None
