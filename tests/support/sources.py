"""A copy of what a wheel is built from."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy_sources(to: Path) -> None:
    """Copy into a folder: a build leaves its traces where it runs, and may pick up those of an earlier one."""
    for folder in ("alignkit", "mechanisms", "proofs"):
        shutil.copytree(ROOT / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, to)
