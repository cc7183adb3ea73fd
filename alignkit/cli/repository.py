"""What git says of a repository: which files differ from a revision, and what the revision holds.

Git is run with a list of arguments, without a shell, and within a time limit; names of files come separated by NUL.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from alignkit.errors import InputError

_SECONDS = 60.0
_FLAG = "--changed-since"


@dataclass(frozen=True)
class RepositoryChanges:
    """The files of a repository now, and how they differ from a revision; all paths are relative to ``root``.

    ``tracked`` are those that git knows, ``unwatched`` those of them whose changes git is told not to see. ``others``
    are untracked files of Python, ``ignored`` those of them that git ignores. ``gone`` maps each file that was deleted
    to None, and each that was renamed to its new path.
    """

    root: Path
    revision: str
    tracked: frozenset[str]
    unwatched: frozenset[str]
    others: frozenset[str]
    ignored: frozenset[str]
    modified: frozenset[str]
    gone: Mapping[str, str | None]

    def differs(self, path: str) -> bool:
        """Whether a file differs from the revision, or is untracked."""
        return path in self.modified or path in self.gone or path in self.unwatched or path not in self.tracked


def changes_since(revision: str, folder: Path) -> RepositoryChanges:
    """Ask git what has changed in the repository of a folder; raise InputError where it cannot say."""
    if not revision or revision.startswith("-") or "\0" in revision:
        raise InputError(f"{_FLAG} needs a revision, such as HEAD or origin/main, not {revision!r}")
    inside = _git(folder, "rev-parse", "--show-toplevel")
    if inside.returncode:
        raise InputError(f"{_FLAG} needs a git repository: {_last_line(inside.stderr)}")
    root = Path(os.fsdecode(inside.stdout.removesuffix(b"\n")))
    found = _git(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found.returncode:
        shallow = _git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        hint = "; the clone is shallow: fetch the commit first, as by `git fetch --unshallow`" if shallow else ""
        raise InputError(f"{_FLAG}: {revision!r} is no commit of this repository{hint}")
    commit = found.stdout.decode("ascii").strip()
    modified, gone = _differences(root, commit)
    tracked, unwatched = _tracked(root)
    patterns = ("--", "*.py", "*.so", "*.pyd")
    others = frozenset(_names(root, "ls-files", "-z", "--others", *patterns))
    unignored = frozenset(_names(root, "ls-files", "-z", "--others", "--exclude-standard", *patterns))
    return RepositoryChanges(
        root, commit, tracked, unwatched, others, others - unignored, frozenset(modified), gone
    )


def old_text(changes: RepositoryChanges, path: str) -> bytes:
    """Return what a file held at the revision; nothing where git cannot say."""
    done = _git(changes.root, "cat-file", "blob", f"{changes.revision}:{path}")
    return b"" if done.returncode else done.stdout


def changed_lines(changes: RepositoryChanges, path: str) -> list[int]:
    """List the lines of a file that differ from the revision, as they are numbered now.

    Where lines were taken away it is the line before them. None are listed where git cannot say.
    """
    flags = ("--unified=0", "--no-color", "--no-ext-diff", "--no-renames", "--no-prefix")
    text = _git(changes.root, "diff", *flags, changes.revision, "--", path).stdout.decode("utf-8", "replace")
    hunks = re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", text, re.MULTILINE)
    return [int(first) + i for first, number in hunks for i in range(max(1, int(number or 1)))]


def _differences(root: Path, commit: str) -> tuple[set[str], dict[str, str | None]]:
    flags = ("--name-status", "-z", "--find-renames", "--no-ext-diff", "--no-relative", "--ignore-submodules=none")
    fields = _names(root, "diff", *flags, commit, "--")
    modified: set[str] = set()
    gone: dict[str, str | None] = {}
    for status in fields:
        path = next(fields)
        if status[0] == "R":
            gone[path] = next(fields)
            modified.add(gone[path] or "")
        elif status[0] == "C":
            modified.add(next(fields))
        elif status[0] == "D":
            gone[path] = None
        else:
            modified.add(path)
    return modified, gone


def _tracked(root: Path) -> tuple[frozenset[str], frozenset[str]]:
    """List the tracked files, and those of them that git is told to take for unchanged (small letters, and S)."""
    entries = list(_names(root, "ls-files", "-z", "-v"))
    unwatched = (entry[2:] for entry in entries if entry[0].islower() or entry[0] == "S")
    return frozenset(entry[2:] for entry in entries), frozenset(unwatched)


def _names(root: Path, *arguments: str) -> Iterator[str]:
    done = _git(root, *arguments)
    if done.returncode:
        raise InputError(f"{_FLAG}: git {arguments[0]} failed: {_last_line(done.stderr)}")
    return iter([os.fsdecode(name) for name in done.stdout.split(b"\0")[:-1]])


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    # A file-system monitor is a program that the repository's settings name.
    command = ["git", "-c", "core.fsmonitor=false", *arguments]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SECONDS
        )
    except FileNotFoundError:
        raise InputError(f"{_FLAG} needs git, which is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise InputError(f"{_FLAG}: git cannot be used: {problem}") from None


def _last_line(message: bytes) -> str:
    lines = message.decode("utf-8", "backslashreplace").strip().splitlines()
    return lines[-1] if lines else "git gave no reason"
