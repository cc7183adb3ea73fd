"""A folder that holds alignkit as an installation does, without building one."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def as_installed(folder: Path) -> Path:
    """The folder, filled with links: the catalogue's folders stand inside the package, as in the wheel."""
    package = folder / "alignkit"
    package.mkdir()
    for path in (*(ROOT / "alignkit").iterdir(), ROOT / "mechanisms", ROOT / "proofs"):
        if path.name != "__pycache__":
            (package / path.name).symlink_to(path)
    return folder
