"""Where an error of a target stands: the file, and the line and column where they are known."""

from __future__ import annotations

import os
import re
import traceback
from dataclasses import dataclass

from alignkit.errors import LanguageError


@dataclass(frozen=True)
class ErrorPlace:
    """A place in a file; ``line`` and ``column`` count from 1."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


def error_place(error: BaseException, target: str) -> ErrorPlace:
    """Find the place that an error is about: where the program is wrong, or where the target's file raised it."""
    cause = error.__cause__
    if isinstance(error, LanguageError) and error.line:
        if os.path.isfile(error.file):
            return ErrorPlace(error.file, error.line, error.column + 1)
        inner = re.fullmatch(r"(.*):(\d+) \(\w+\)", error.file, re.DOTALL)  # a text inside the file, such as a claim
        if inner and os.path.isfile(inner[1]):
            return ErrorPlace(inner[1], int(inner[2]))
    if isinstance(cause, SyntaxError) and cause.filename and os.path.isfile(cause.filename):
        return ErrorPlace(cause.filename, cause.lineno or None, max(1, cause.offset or 1) if cause.lineno else None)
    file = target.rpartition("::")[0] or target
    if not os.path.isfile(file):
        return ErrorPlace()
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else ()
    lines = [f.lineno for f in frames if f.lineno and os.path.realpath(f.filename) == os.path.realpath(file)]
    return ErrorPlace(file, lines[-1] if lines else None)
