"""Blanks to fill in, and alignkit's decorators for notebooks, where an error in an answer becomes feedback.

In a notebook the two decorators return `Unread` where alignkit refuses a definition, so that the cell that judges the
answer can say why, and no traceback is shown. Anywhere else, as in `alignkit check exercise.py`, they raise the error,
but for a blank: the definitions beside it can be checked.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from types import CodeType
from typing import Any

import alignkit
from alignkit import AlignkitError, LanguageError
from alignkit.running.module_members import Refused


class Blank:
    """What stands where something is to be filled in."""

    def __repr__(self) -> str:
        return "TODO"


TODO: Any = Blank()


class Unread(Refused):
    """A definition that alignkit did not take, because of a blank in it or an error.

    It takes over the function's name and source, by which marimo recognises what a decorator returns.
    """

    __name__: str

    def __init__(self, function: Callable[..., Any], error: AlignkitError, blank: bool, of: Any = None) -> None:
        super().__init__(error, of)
        functools.update_wrapper(self, function)
        self.blank = blank


def mechanism(function: Callable[..., Any]) -> Any:
    """Do what `alignkit.mechanism` does, and return `Unread` in a notebook where it refuses the function."""
    return _read(alignkit.mechanism, function)


def alignment(of: Any, **claim: Any) -> Callable[[Callable[..., Any]], Any]:
    """Do what `alignkit.alignment` does, and return `Unread` in a notebook where it refuses the function or claim."""

    def decorate(function: Callable[..., Any]) -> Any:
        if isinstance(of, Unread):
            return Unread(function, of.error, of.blank, of)
        return _read(lambda f: alignkit.alignment(of, **claim)(f), function, of, *claim.values())

    return decorate


def has_blank(value: Any) -> bool:
    """Whether TODO, or a text with TODO in it, stands anywhere in lists, tuples and dictionaries."""
    if isinstance(value, dict):
        return any(map(has_blank, value.values()))
    if isinstance(value, list | tuple):
        return any(map(has_blank, value))
    return value is TODO or (isinstance(value, str) and "TODO" in value)


def _read(decorator: Callable[..., Any], function: Callable[..., Any], of: Any = None, *given: Any) -> Any:
    try:
        return decorator(function)
    except AlignkitError as error:
        if has_blank(given) or _names_blank(function.__code__):
            return Unread(function, _to_fill_in(function), blank=True, of=of)
        if function.__module__ != "__main__":
            raise
        return Unread(function, error, blank=False)


def _to_fill_in(function: Callable[..., Any]) -> LanguageError:
    """What is said of the first blank in a definition."""
    lines, start = inspect.getsourcelines(function)
    found = ((number, line, re.search(r"\bTODO\b", line)) for number, line in enumerate(lines, start))
    line, source, blank = next(item for item in found if item[2])
    file, column = inspect.getfile(function), blank.start() if blank else 0
    problem = "replace `TODO` by your answer"
    return LanguageError(problem, file=file, line=line, column=column, source=source, width=len("TODO"))


def _names_blank(code: CodeType) -> bool:
    return "TODO" in code.co_names or any(_names_blank(c) for c in code.co_consts if isinstance(c, CodeType))
