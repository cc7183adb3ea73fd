"""By what a verdict was reached: alignkit's own code, the solvers and libraries, and Python."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

# What decides obligations, and what computes bounds and samples.
_LIBRARIES = ("z3-solver", "sympy", "numpy", "python-flint", "highspy")


@cache
def origin() -> str:
    """Return the digest of what decides: it differs as soon as anything of that does.

    The source of alignkit counts as it lies on the disk, since a version may be worked on. Mechanisms and proofs of
    the catalogue do not count: each of them has a meaning of its own.
    """
    whole = hashlib.sha256()
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*.py")):
        folder, *below = path.relative_to(root).parts
        if not (below and folder in ("mechanisms", "proofs")):
            content = path.read_bytes()
            whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    for library in _LIBRARIES:
        whole.update(f"{library} {_version(library)}\n".encode())
    whole.update(sys.version.encode())
    return whole.hexdigest()


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "unknown"
