"""Arithmetic and comparisons of terms, each done once: every path of a proof computes much of what others do."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from alignkit.errors import TooLarge, Unsupported
from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import TWO_NUMBERS

_NUMBERS = frozenset((Term, int, Fraction))


class Calculations:
    """Remembers what operations on terms give. The results are pure values, which depend on no path."""

    def __init__(self) -> None:
        self._results: dict[tuple[str, Any, Any], tuple[Any, Any, Any]] = {}

    def arithmetic(self, symbol: str, left: Any, right: Any, place: Place, *, exact: bool) -> Any:
        """``left symbol right``, as in ``operations.arithmetic``."""
        if not _terms(left, right):
            return op.arithmetic(symbol, left, right, place, exact=exact)
        return self._once(symbol, left, right, place, lambda: op.arithmetic(symbol, left, right, place, exact=exact))

    def compare(self, symbol: str, left: Any, right: Any, place: Place) -> Any:
        """``left symbol right``, as in ``operations.compare``."""
        if not _terms(left, right):
            return op.compare(symbol, left, right, place)
        return self._once(symbol, left, right, place, lambda: op.compare(symbol, left, right, place))

    def _once(self, symbol: str, left: Any, right: Any, place: Place, compute: Callable[[], Any]) -> Any:
        done = symbol, left, right
        if done not in self._results:
            try:
                self._results[done] = left, right, compute()
            except TooLarge as problem:
                raise problem.at(place) from None
        one, other, result = self._results[done]
        if not (_mean_the_same(one, left) and _mean_the_same(other, right)):
            raise Unsupported(TWO_NUMBERS, place)
        return result


def _mean_the_same(one: Any, other: Any) -> bool:
    """Whether two values that are written alike are made of the same atoms: a name may stand for two numbers."""
    return one is other or not isinstance(one, Term) or one.mentions.keys() == other.mentions.keys()


def _terms(left: Any, right: Any) -> bool:
    """Whether both are plain numbers or terms, and one of them at least is a term."""
    one, other = type(left), type(right)
    return (one is Term or other is Term) and one in _NUMBERS and other in _NUMBERS
