"""What alignkit raises when it was asked for something it cannot do.

Every message is written for the person who wrote the mechanism: it names what they wrote and says
what to write instead. The command line prints the message alone; the exit code is the class's own.
"""

from __future__ import annotations

from typing import Any


class AlignkitError(Exception):
    """The base of every error alignkit raises on purpose."""

    exit_code = 2


class InputError(AlignkitError, ValueError):
    """An argument has a value that the mechanism, the alignment or the command does not accept."""


class DataError(AlignkitError):
    """A data file is missing, unreadable or malformed."""


class TargetError(AlignkitError):
    """A target names nothing, or names a file that cannot be imported."""


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
        place = f"{self.file}:{self.line}:{self.column + 1}: " if self.line else ""
        lines = [place + self.problem]
        if self.source:
            gutter = f"  {self.line} | "
            lines.append(gutter + self.source.rstrip())
            lines.append(" " * (len(gutter) - 2) + "| " + " " * self.column + "^" * self.width)
        if self.hint:
            lines.append("  " + self.hint)
        return "\n".join(lines)


class UnprovedError(AlignkitError):
    """A result was required to be proved, or what its proof declares, and is not, or is stale; it is ``result``."""

    def __init__(self, message: str, *, result: Any = None, exit_code: int = 1) -> None:
        super().__init__(message)
        self.result = result
        self.exit_code = exit_code


class InternalError(AlignkitError):
    """Two engines disagree, or alignkit found itself in a state it should not reach."""

    exit_code = 4


def described(problem: BaseException) -> str:
    """An exception's type and text; the type alone where there is no text, or asking for it fails."""
    name = type(problem).__name__
    try:
        text = str(problem)
    except BaseException:
        return f"{name} (its text cannot be shown: __str__ fails)"
    return f"{name}: {text}" if text else name
