"""A folder of files that only its owner can write: what lies in it is what this user has put there.

Files are written whole or not at all, whatever runs beside it or breaks off.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from dataclasses import dataclass

from alignkit.errors import AlignkitError

# The permission of a group or of others to write.
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
# O_NOFOLLOW refuses symbolic links, and O_NONBLOCK does not wait for the writer of a pipe; not every system has them.
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
# What files of the folder are called; files of other names are left alone.
_FINISHED = re.compile(r"[0-9a-f]{64}\.json")
_UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.unfinished")


class UnusableFolderError(AlignkitError):
    """The folder, or a file in it, cannot be used; the message says why."""


@dataclass(frozen=True)
class Memo:
    """A file that is still to be written."""

    name: str
    content: bytes


@dataclass(frozen=True)
class PrivateFolder:
    """A folder that belongs to the user and is no symbolic link, as `private_folder` has made sure."""

    path: str
    most_files: int = 10_000
    most_bytes: int = 4_000_000

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None where there is none, or one that another user could have written."""
        path = os.path.join(self.path, name)
        try:
            descriptor = os.open(path, _READING)
        except OSError:
            return None
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or _doubt(status) or status.st_size > self.most_bytes:
                return None
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                content = file.read(self.most_bytes + 1)
        except OSError:
            return None
        finally:
            os.close(descriptor)
        with contextlib.suppress(OSError):
            os.utime(path)  # what is used stays
        return content

    def keep(self, memo: Memo) -> None:
        """Put a file into the folder in the place of one that may be there; raise UnusableFolderError if that fails."""
        unfinished = os.path.join(self.path, f".{secrets.token_hex(8)}.unfinished")
        try:
            descriptor = os.open(unfinished, _WRITING, 0o600)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(memo.content)
                os.replace(unfinished, os.path.join(self.path, memo.name))
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(unfinished)
                raise
        except OSError as problem:
            raise UnusableFolderError(f"{self.path} cannot be written: {_reason(problem)}") from None

    def make_room(self) -> None:
        """Remove the files that have not been used for longest, if there are too many, and what a crash has left."""
        with contextlib.suppress(OSError):
            own = [e for e in os.scandir(self.path) if _FINISHED.fullmatch(e.name) or _UNFINISHED.fullmatch(e.name)]
            by_age = sorted((entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in own)
            surplus = len(by_age) - self.most_files if len(by_age) > self.most_files else 0
            newest = by_age[-1][0] if by_age else 0.0
            for number, (age, path) in enumerate(by_age):
                abandoned = path.endswith(".unfinished") and age < newest - 86_400
                if abandoned or number < 2 * surplus:
                    with contextlib.suppress(OSError):
                        os.unlink(path)


def user_folder() -> PrivateFolder | None:
    """Open the folder of the user's verdicts: the one that ALIGNKIT_CACHE_DIR names, or one in the user's cache folder.

    None where the variable is set and empty, which says that there is no cache. Raises UnusableFolderError where the
    folder cannot be used.
    """
    path = os.environ.get("ALIGNKIT_CACHE_DIR")
    if path is not None:
        return private_folder(os.path.abspath(os.path.expanduser(path))) if path else None
    from platformdirs import user_cache_path

    path = str(user_cache_path("alignkit", appauthor=False) / "verdicts")
    if not os.path.isabs(path):
        raise UnusableFolderError("the user has no home folder; name a folder with ALIGNKIT_CACHE_DIR")
    return private_folder(path)


def private_folder(path: str) -> PrivateFolder:
    """Make the folder if need be; raise UnusableFolderError unless it belongs to this user alone."""
    try:
        os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700)
        status = os.lstat(path)
    except (OSError, ValueError) as problem:
        raise UnusableFolderError(f"{path} cannot be used: {_reason(problem)}") from None
    if not stat.S_ISDIR(status.st_mode):
        what = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "no folder"
        raise UnusableFolderError(f"{path} is {what}")
    doubt = _doubt(status)
    if doubt:
        raise UnusableFolderError(f"{path} {doubt}")
    return PrivateFolder(path)


def _doubt(status: os.stat_result) -> str:
    """Say why somebody else may have written a file or folder; empty where nobody can have."""
    if not hasattr(os, "geteuid"):
        return ""  # where files have no owner in this sense, the user's own folders are taken as they are
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    return "can be written by other users" if status.st_mode & _OTHERS_WRITE else ""


def _reason(problem: OSError | ValueError) -> str:
    words = problem.strerror if isinstance(problem, OSError) else None
    return (words or str(problem)).lower()
