"""Countable: the alignment reads the output through its discrete part only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from alignkit.language.program import Place
from alignkit.symbolic.terms import Role

if TYPE_CHECKING:
    from alignkit.proving.ledger import Ledger


def discrete_only(ledger: Ledger, what: str, values: Iterable[Any], place: Place) -> None:
    """Oblige terms and conditions of the alignment to mention no real part of the output."""
    for value in values:
        if not isinstance(value, bool) and Role.OUTPUT in ledger.roles(value):
            words = f"{what} reads a real part of the output; only tags, indices and lengths may be read"
            ledger.oblige("countable", False, place, words)
            return
