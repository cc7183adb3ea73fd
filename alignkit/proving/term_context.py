"""Roots, powers and logarithms in symbolic runs: exact numbers or terms, never floats."""

from __future__ import annotations

from typing import Any

from alignkit.interpreting import operations as op
from alignkit.interpreting.context import Context
from alignkit.symbolic.terms import Term


class TermContext(Context):
    """A run on exact numbers and terms; an irrational number is a term."""

    def special(self, function: str, value: Any) -> Any:
        try:
            known = op.special(function, value)
        except OverflowError:
            known = None
        return op.special(function, Term.of(value)) if known is None or isinstance(known, float) else known
