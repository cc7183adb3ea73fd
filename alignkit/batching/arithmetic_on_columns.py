"""Arithmetic and comparisons on columns, each with the very operations that Python does in one run."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from alignkit.batching.columns import Array, NumberColumn, as_column, exact_operands, widened
from alignkit.interpreting.operations import COMPARE

_FLOATS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def computed(symbol: str, left: Any, right: Any) -> NumberColumn:
    """``left symbol right``, of which one at least is a column; a divisor is not 0."""
    if isinstance(left, NumberColumn) and left.exact is False and not isinstance(right, NumberColumn):
        return NumberColumn(_FLOATS[symbol](left.floats, float(right)))
    if isinstance(right, NumberColumn) and right.exact is False and not isinstance(left, NumberColumn):
        return NumberColumn(_FLOATS[symbol](float(left), right.floats))
    one, other = as_column(left), as_column(right)
    if one.exact is False or other.exact is False:
        return NumberColumn(_FLOATS[symbol](one.floats, other.floats))
    exact = _exactly(symbol, one, other)
    if one.exact is True and other.exact is True:
        return exact
    both = np.asarray(one.exact) & np.asarray(other.exact)
    floats = np.where(both, exact.floats, _FLOATS[symbol](one.floats, other.floats))
    return NumberColumn(floats, exact.counts, exact.unit, both, bound=exact.bound)


def _exactly(symbol: str, one: NumberColumn, other: NumberColumn) -> NumberColumn:
    whole = one.whole and other.whole and symbol != "/"
    assert one.counts is not None
    assert other.counts is not None
    if symbol in "+-":
        left, right, unit, first, second = exact_operands(one, other)
        bound = first + second
        made = _FLOATS[symbol](widened(left, bound), widened(right, bound))
        return _tight(made, unit, bound, whole)
    if symbol == "*":
        bound = one.bound * other.bound
        made = widened(one.counts, bound) * widened(other.counts, bound)
        return _tight(made, one.unit * other.unit, bound, whole)
    if other.counts.ndim == 0:
        sign = int(other.counts)
        return NumberColumn(None, one.counts * sign, one.unit / other.unit, True, bound=one.bound)
    return elementwise(lambda a, b: Fraction(a) / b if type(a) is not float and type(b) is not float else a / b,
                       one, other)  # fmt: skip


def _tight(counts: Array, unit: Fraction, bound: int, whole: bool) -> NumberColumn:
    """Exact numbers; a bound that has grown large is measured again."""
    counts = np.asarray(counts)
    if bound >= 2**52 and counts.size:
        bound = max(abs(int(counts.max())), abs(int(counts.min())))
        if counts.dtype == object and bound < 2**62:
            counts = counts.astype(np.int64)
    return NumberColumn(None, counts, unit, True, bound=bound, whole=whole)


def negated(column: NumberColumn) -> NumberColumn:
    """``-column``."""
    counts = None if column.counts is None else -column.counts
    floats = -column.floats if column.exact is not True else None
    return NumberColumn(floats, counts, column.unit, column.exact, bound=column.bound, whole=column.whole)


def absolute(column: NumberColumn) -> NumberColumn:
    """``abs(column)``."""
    counts = None if column.counts is None else np.abs(column.counts)
    floats = np.abs(column.floats) if column.exact is not True else None
    return NumberColumn(floats, counts, column.unit, column.exact, bound=column.bound, whole=column.whole)


def elementwise(function: Callable[..., Any], *numbers: Any) -> NumberColumn:
    """A function of Python's own numbers, computed once for all equal ones."""
    columns = [as_column(n) for n in numbers]
    shape = np.broadcast_shapes(*(c.shape for c in columns))
    lists = [c.map(lambda a: np.broadcast_to(a, shape)).values() for c in columns]
    known: dict[Any, Any] = {}
    made = []
    for values in zip(*lists, strict=True):
        key = (*values, *map(type, values))  # since 1 == 1.0
        if key not in known:
            known[key] = function(*values)
        made.append(known[key])
    return NumberColumn.of_values(made, shape)


def compared(symbol: str, left: Any, right: Any) -> Array:
    """``left symbol right`` for numbers of which one at least is a column; exact, as Python compares."""
    if not isinstance(left, NumberColumn):
        return compared(_FLIPPED.get(symbol, symbol), right, left)
    if not isinstance(right, NumberColumn) and left.exact is False:
        return _with_number(symbol, left.floats, right)
    other = as_column(right)
    compare = COMPARE[symbol]
    if left.exact is True and other.exact is True:
        one, two, _, first, second = exact_operands(left, other)
        bound = max(first, second)
        return np.asarray(compare(widened(one, bound), widened(two, bound)), dtype=bool)
    result = np.asarray(compare(left.floats, other.floats))
    if left.exact is False and other.exact is False:
        return result
    # A float and an exact number that rounds to another float stand as the two floats do.
    close = np.asarray(left.floats == other.floats)
    if not close.any():
        return result
    at = np.nonzero(close)
    shape = close.shape
    sides = [c.map(lambda a: np.broadcast_to(a, shape)[at]).values() for c in (left, other)]
    result = np.array(result)
    result[at] = [compare(a, b) for a, b in zip(*sides, strict=True)]
    return result


def _with_number(symbol: str, floats: Array, number: Any) -> Array:
    nearest = float(number)
    if type(number) is not float and Fraction(nearest) != number:
        if symbol in ("==", "!="):
            return np.full(floats.shape, symbol == "!=")
        # No float lies between the number and the float nearest to it.
        above = number > nearest
        symbol = {"<": "<=" if above else "<", ">": ">" if above else ">="}[symbol[0]]
    return cast(Array, COMPARE[symbol](floats, nearest))
