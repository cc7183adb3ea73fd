"""Opening the user's cache, before anything of the checker is loaded.

By what a verdict was reached: alignkit's own code, the solvers and libraries, and Python.
"""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from alignkit.caching.folders import PrivateFolder, user_folder
from alignkit.version import __version__

# What decides obligations, and what computes bounds and samples.
_LIBRARIES = ("z3-solver", "sympy", "numpy", "python-flint", "highspy")

_ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Origin:
    """What decides: ``digest`` differs as soon as anything of that does. ``stamp`` says when its files were written."""

    digest: str
    stamp: int

    @property
    def is_current(self) -> bool:
        """Whether no file of alignkit has been written since: modules are loaded when they are needed."""
        return self.stamp == _stamp()


def origin() -> Origin:
    """Take what decides now.

    The source of alignkit counts as it lies on the disk, since a version may be worked on. Mechanisms and proofs of
    the catalogue do not count: each of them has a meaning of its own.
    """
    stamp = _stamp()
    whole = hashlib.sha256(f"alignkit {__version__}\n".encode())
    for path in _sources():
        content = path.read_bytes()
        whole.update(f"{path.relative_to(_ROOT).as_posix()} {len(content)}\n".encode() + content)
    for library in _LIBRARIES:
        whole.update(f"{library} {_version(library)}\n".encode())
    # z3 looks for its library in the places of this variable and in the current folder.
    here = sorted(path.name for path in Path().glob("libz3*"))
    whole.update(f"{sys.version} {sys.flags.optimize} {os.environ.get('Z3_LIBRARY_PATH')!r} {here!r}".encode())
    return Origin(whole.hexdigest(), stamp)


def _sources() -> list[Path]:
    found = sorted(_ROOT.rglob("*.py"))
    return [path for path in found if path.relative_to(_ROOT).parts[0] not in ("mechanisms", "proofs")]


def _stamp() -> int:
    written = [(str(path), path.stat().st_mtime_ns) for path in _sources()]
    return int.from_bytes(hashlib.sha256(repr(written).encode()).digest()[:8])


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class OpenedCache:
    """The folder of the cache, and by what verdicts are reached in this run."""

    folder: PrivateFolder
    origin: Origin


def open_cache() -> OpenedCache | None:
    """Open the user's cache; None where the user wants none.

    Raises UnusableFolderError where the folder cannot be used.
    """
    folder = user_folder()
    return None if folder is None else OpenedCache(folder, origin())
