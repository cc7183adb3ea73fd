"""What a result is about, kept so that the result can tell whether that is still what was checked."""

from __future__ import annotations

from typing import Any

from alignkit.errors import LanguageError
from alignkit.running.alignment import Alignment


class Subject:
    """The alignment that was checked.

    It stays behind when a result is sent to another process, where its mechanism cannot be redefined.
    """

    def __init__(self, alignment: Alignment | None = None) -> None:
        self._alignment = alignment

    @property
    def stale(self) -> str:
        """Why the alignment or its mechanism is no longer the program that was checked; empty where it is."""
        try:
            if self._alignment is not None:
                self._alignment.ensure_current()
        except LanguageError as problem:
            return problem.problem
        return ""

    def __copy__(self) -> Subject:
        return self

    def __deepcopy__(self, memo: Any) -> Subject:
        return self

    def __reduce__(self) -> tuple[type[Subject], tuple[()]]:
        return Subject, ()
