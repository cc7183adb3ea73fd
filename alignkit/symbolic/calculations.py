"""Arithmetic and comparisons of terms, each done once: every path of a proof computes much of what others do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from alignkit.errors import TooLarge
from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.symbolic.terms import Term

_NUMBERS = frozenset((Term, int, Fraction))


class Calculations:
    """Remembers what operations on terms give. The results are pure values, which depend on no path."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, Any, Any], Any] = {}

    def arithmetic(self, symbol: str, left: Any, right: Any, place: Place, *, exact: bool) -> Any:
        """``left symbol right``, as in ``operations.arithmetic``."""
        if not _terms(left, right):
            return op.arithmetic(symbol, left, right, place, exact=exact)
        done = symbol, left, right
        if done not in self._results:
            try:
                self._results[done] = op.arithmetic(symbol, left, right, place, exact=exact)
            except TooLarge as problem:
                raise problem.at(place) from None
        return self._results[done]

    def compare(self, symbol: str, left: Any, right: Any, place: Place) -> Any:
        """``left symbol right``, as in ``operations.compare``."""
        if not _terms(left, right):
            return op.compare(symbol, left, right, place)
        done = symbol, left, right
        if done not in self._results:
            try:
                self._results[done] = op.compare(symbol, left, right, place)
            except TooLarge as problem:
                raise problem.at(place) from None
        return self._results[done]


def _terms(left: Any, right: Any) -> bool:
    """Whether both are plain numbers or terms, and one of them at least is a term."""
    one, other = type(left), type(right)
    return (one is Term or other is Term) and one in _NUMBERS and other in _NUMBERS
