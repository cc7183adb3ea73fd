"""All that alignkit raises: the errors that users see, and then the signals that it raises and catches itself.

Every message of an error is written for the person who wrote the mechanism: it names what they wrote and says
what to write instead. The command line prints the message alone; the exit code is the class's own.
"""

from __future__ import annotations

import contextlib
import functools
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from alignkit.public_names import public


@public
class AlignkitError(Exception):
    """The base of every error alignkit raises on purpose."""

    exit_code = 2

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback: the user's own lines that lead here, and the message."""
        if isinstance(self, InternalError) or os.environ.get("ALIGNKIT_DEBUG"):
            return traceback.format_exception(self)
        lines = [
            f"{file_and_line(file, line)}\n  {source}"
            for file, line, source in _users_lines(self.__traceback__)
            if file != getattr(self, "file", "")  # the message itself shows a line there
        ]
        return [*lines, f"{type(self).__name__}: {self.message_in_cells()}"]

    def message_in_cells(self) -> str:
        """The message, as a cell of a notebook shows it."""
        return str(self)


@public
class InputError(AlignkitError, ValueError):
    """An argument has a value that the mechanism, the alignment or the command does not accept."""


@public
class DataError(AlignkitError):
    """A data file is missing, unreadable or malformed."""


@public
class TargetError(AlignkitError):
    """A target names nothing, or names a file that cannot be imported."""


@public
class LanguageError(AlignkitError):
    """A program lies outside the language; carries the place and what to write instead.

    >>> print(LanguageError("`while` is not in the language", file="m.py", line=3, column=4,
    ...                     source="    while True:", width=10, hint="use `for` over the queries"))
    m.py:3:5: `while` is not in the language
      3 |     while True:
        |     ^^^^^^^^^^
      use `for` over the queries
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str = "<unknown>",
        line: int = 0,
        column: int = 0,
        source: str = "",
        width: int = 1,
        hint: str = "",
    ) -> None:
        self.problem = problem
        self.file = file
        self.line = line
        self.column = column
        self.source = source
        self.width = max(1, width)
        self.hint = hint
        super().__init__(self._render())

    def _render(self) -> str:
        place = file_and_line(self.file, self.line, self.column + 1) + ": " if self.line else ""
        lines = [place + self.problem]
        if self.source:
            gutter = f"  {self.line} | "
            lines.append(gutter + self.source.rstrip())
            lines.append(" " * (len(gutter) - 2) + "| " + " " * self.column + "^" * self.width)
        if self.hint:
            lines.append("  " + self.hint)
        return "\n".join(lines)


@public
class UnprovedError(AlignkitError):
    """A result was required to be proved, or what its proof declares, and is not, or is stale; it is ``result``."""

    def __init__(self, message: str, *, result: Any = None, exit_code: int = 1) -> None:
        super().__init__(message)
        self.result = result
        self.exit_code = exit_code


@public
class InternalError(AlignkitError):
    """Two engines disagree, or alignkit found itself in a state it should not reach."""

    exit_code = 4


class Undefined(AlignkitError):
    """A run has no value at a ``place`` of the program: a division by zero, say, or the maximum of nothing."""

    def __init__(self, problem: str, place: Any) -> None:
        self.problem = problem
        self.place = place
        super().__init__(f"{file_and_line(place.source.file, place.line)}: {problem}")


@public
class Unsupported(AlignkitError):
    """The engine that runs the program cannot go on here; nothing is said about the program itself."""

    def __init__(self, problem: str, place: Any = None) -> None:
        self.problem = problem
        self.place = place
        where = f"line {place.line}: " if place is not None else ""
        super().__init__(where + problem)

    def message_in_cells(self) -> str:
        if self.place is None:
            return self.problem
        return f"{file_and_line(self.place.source.file, self.place.line)}: {self.problem}"


class TooRare(Unsupported):
    """A probability is too small to compute."""


class TooLarge(Unsupported):
    """A symbolic value is too large to be written out: it distinguishes too many cases, or has too many summands."""

    def at(self, place: Any) -> TooLarge:
        """The same problem at a place of the program, unless it has a place already."""
        return TooLarge(self.problem, place) if self.place is None else self


class WorkerError(AlignkitError):
    """A worker process failed; the message is ready to be shown."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class WorkerLost(WorkerError):
    """A worker process is gone: it ended itself, was killed, or was ended because it hung on importing ``file``."""

    def __init__(self, message: str, exit_code: int, file: str | None = None) -> None:
        super().__init__(message, exit_code)
        self.file = file


class UnwrittenError(Exception):
    """Standard output does not take the report, for another reason than that its reader has gone."""


class OutOfTime(Exception):
    """The time given is used up."""


class Stopped(AlignkitError):
    """A context ends a run before its time; the run's output is what came before."""

    def __init__(self, words: str, place: Any) -> None:
        self.place = place
        super().__init__(words)


class Parted(Exception):
    """The run on D′ does something else than the run on D; a proof must show that this is impossible."""

    def __init__(self, condition: str, words: str, place: Any) -> None:
        self.condition = condition
        self.words = words
        self.place = place
        super().__init__(words)


class Infeasible(Exception):
    """Nothing takes a path: its conditions contradict one another, or have probability 0."""


class Clash(Exception):
    """What a prover takes for known is plainly false on a path; ``words`` say what it is about."""

    def __init__(self, words: str) -> None:
        self.words = words
        super().__init__(words)


class TooManyPaths(Exception):
    """A program branches more often than its paths are explored."""


class TooManyPieces(Exception):
    """Terms distinguish more cases than are examined one by one."""


class NotSmooth(Exception):
    """A term has no derivative that can be computed here."""


class TooManyDigits(Exception):
    """A number is longer than Python writes numbers out."""


def file_and_line(file: str, line: int, column: int | None = None) -> str:
    """A place as messages name it: ``file:line:column``, or ``Cell In[3], line 2`` where the file is one of IPython.

    >>> file_and_line("m.py", 3, 5), file_and_line("m.py", 3)
    ('m.py:3:5', 'm.py:3')
    """
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    cell = None if shell is None else shell.compile.format_code_name(file)
    if cell is not None:
        return f"{' '.join(cell)}, line {line}"
    return f"{file}:{line}" if column is None else f"{file}:{line}:{column}"


def _users_lines(trace: TracebackType | None) -> Iterator[tuple[str, int, str]]:
    """The lines of the user's cells and files that lead to a call of alignkit: their file, number and text."""
    for frame, line in traceback.walk_tb(trace):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package == "alignkit":
            return
        if package != "IPython":
            file = frame.f_code.co_filename
            yield file, line, linecache.getline(file, line, frame.f_globals).strip()


_Parameters = ParamSpec("_Parameters")
_Value = TypeVar("_Value")


def refusing_briefly(define: Callable[_Parameters, _Value]) -> Callable[_Parameters, _Value]:
    """Let a decorator of users' functions refuse them without the lines of alignkit that found out why."""

    @functools.wraps(define)
    def defined(*arguments: _Parameters.args, **named: _Parameters.kwargs) -> _Value:
        try:
            return define(*arguments, **named)
        except AlignkitError as problem:
            if isinstance(problem, InternalError) or os.environ.get("ALIGNKIT_DEBUG"):
                raise
            refusal = problem
        raise refusal.with_traceback(None)

    return defined


def described(problem: BaseException) -> str:
    """An exception's type and text; the type alone where there is no text, or asking for it fails."""
    name = type(problem).__name__
    try:
        text = str(problem)
    except BaseException:
        return f"{name} (its text cannot be shown: __str__ fails)"
    return f"{name}: {text}" if text else name


def error_text(error: BaseException) -> str:
    """Write the message for an error; paths below the current folder are shown relative to it."""
    if isinstance(error, AlignkitError) and not isinstance(error, InternalError):
        with contextlib.suppress(FileNotFoundError):  # the current folder may have been deleted
            return str(error).replace(os.path.join(os.getcwd(), ""), "")
        return str(error)
    words = str(error) if isinstance(error, AlignkitError) else described(error)
    return f"internal error: {words} (please report; ALIGNKIT_DEBUG=1 shows the traceback)"
