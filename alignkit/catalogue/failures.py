"""Errors while a user's file is imported, reported with the line of that file."""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from contextvars import ContextVar
from pathlib import Path

from alignkit.errors import AlignkitError, InternalError, LanguageError, TargetError, described

Around = Callable[[Path], AbstractContextManager[None]]

# What makes the context manager that is put around each import of a user's file.
_around: ContextVar[Around] = ContextVar("around", default=lambda path: contextlib.nullcontext())


@contextlib.contextmanager
def around_imports(manager: Around) -> Iterator[None]:
    """Put each import of a file inside ``manager(path)``, which may refuse it by a TargetError."""
    token = _around.set(manager)
    try:
        yield
    finally:
        _around.reset(token)


@contextlib.contextmanager
def import_failures(path: Path) -> Iterator[None]:
    """Turn whatever the import of a file raises into a TargetError; LanguageErrors already say where.

    What the file prints goes to stderr: stdout belongs to the report.
    """
    try:
        with _around.get()(path), contextlib.redirect_stdout(sys.stderr):
            yield
    except (LanguageError, TargetError, InternalError, KeyboardInterrupt):
        raise
    except SyntaxError as problem:
        raise TargetError(_unreadable(problem, path)) from problem
    except AlignkitError as problem:
        raise TargetError(_at_line(problem, path, str(problem))) from problem
    except SystemExit as problem:
        raise TargetError(_at_line(problem, path, "the file ends Python while it is imported")) from problem
    except BaseException as problem:
        text = _at_line(problem, path, f"the file cannot be imported: {described(problem)}")
        if isinstance(problem, ModuleNotFoundError):
            text += "\n  install it, or run alignkit with the Python that has it"
        raise TargetError(text) from problem


def _unreadable(problem: SyntaxError, path: Path) -> str:
    """A syntax error, with its caret, in this file or in one that it imports."""
    undecodable = "codec can't decode" in problem.msg or "Non-UTF-8" in problem.msg
    if not problem.lineno:
        return f"{problem.filename or path}: Python cannot read this: {problem.msg}"
    shown = LanguageError(
        f"Python cannot read this: {problem.msg}",
        file=str(problem.filename or path),
        line=problem.lineno,
        column=max(0, (problem.offset or 1) - 1),
        source=problem.text or "",
        hint="save the file as UTF-8" if undecodable else "",
    )
    return str(shown)


def _at_line(problem: BaseException, path: Path, words: str) -> str:
    """The message, after the line of the file that was being run and before the line that raised."""
    frames = traceback.extract_tb(problem.__traceback__)
    here = [f for f in frames if f.lineno and os.path.realpath(f.filename) == os.path.realpath(path)]
    if not here:
        return f"{path}: {words}"
    line = here[-1].lineno or 0
    text = f"{path}:{line}: {words}"
    source = linecache.getline(str(path), line).rstrip()
    if source:
        text += f"\n  {line} | {source}"
    last = frames[-1]
    if last is not here[-1] and not isinstance(problem, AlignkitError) and os.path.isfile(last.filename):
        text += f"\n  raised in {last.filename}:{last.lineno}"
    return text
