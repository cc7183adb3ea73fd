"""Countable: the alignment reads the output through its discrete part only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from alignkit.language.program import Place
from alignkit.proving.path_obligations import Obligations
from alignkit.symbolic.trees import Role


def discrete_only(owed: Obligations, what: str, values: Iterable[Any], place: Place) -> None:
    """Oblige terms and conditions of the alignment to mention no real part of the output."""
    for value in values:
        if not isinstance(value, bool) and Role.OUTPUT in owed.facts.dependencies.roles(value):
            words = f"{what} reads a real part of the output; only tags, indices and lengths may be read"
            owed.exclude("countable", place, words)
            return
    owed.settled("countable", place, f"{what} reads no real part of the output")
