"""Comprehensions: all items at once where they are numbers in arrays, otherwise item by item."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.batch_values import Items, ItemTable, by_arrays, items_of, varies
from alignkit.batching.columns import NumberColumn
from alignkit.batching.draws_in_frames import draw_arguments, drawn
from alignkit.batching.frames import ITERATION, Frame
from alignkit.batching.sequences import sequence
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walks import Walk
from alignkit.interpreting.values import Members
from alignkit.language.program import Comprehension

# Lists of fewer items are evaluated item by item, which needs no copies.
_LONG = 12


def comprehension_of_runs(walker: Walk, node: Comprehension, frame: Frame) -> Any:
    """The value of a comprehension."""
    items = walker.value(node.iterable, frame)
    if node.form != "set" and not node.filters:
        length = items.length if isinstance(items, ItemTable) else len(items) if isinstance(items, tuple) else 0
        steady = node.steady_draw
        if steady is not None and length:
            spread = _spread(walker, frame, length)
            return _table(drawn(walker, steady, draw_arguments(walker, steady, spread), spread), frame, spread)
        if isinstance(items, ItemTable) or length >= _LONG:
            columns = in_arrays(items, frame.flat())
            if columns is not None:
                spread = _spread(walker, frame, length)
                walker.bind(node.target, columns, spread, spread.local, node.place)
                return _table(walker.value(node.element, spread), frame, spread)
    return _item_by_item(walker, node, sequence(items, frame, node.place), frame)


def _spread(walker: Walk, frame: Frame, length: int) -> Frame:
    base = frame.flat()
    spread = base.spread(length)
    if walker.noise.records:
        index = NumberColumn.of_counts(np.arange(length)[None, :], whole=True)
        outer = base.get(ITERATION)
        outer = by_arrays(outer, lambda array: array[:, None]) if varies(outer) else outer
        spread.local[ITERATION] = items_of([*(outer.values if isinstance(outer, Items) else outer), index])
    return spread


def _table(value: Any, frame: Frame, spread: Frame) -> Any:
    """The list of what the places of a spread frame have."""
    length = spread.shape[1]
    if not varies(value):
        return (value,) * length
    columns = by_arrays(value, lambda array: np.broadcast_to(array, spread.shape))
    rows = None if len(frame.shape) == 1 else np.arange(frame.size).reshape(frame.shape)
    return ItemTable(columns, length, rows)


def in_arrays(items: Any, frame: Frame) -> Any:
    """The items of a sequence as columns of the frame, which has one dimension, spread by position; None if it is of
    another kind.
    """
    if isinstance(items, ItemTable):
        rows = items.rows
        if rows is None:
            return items.columns
        flat = rows.ravel()
        return by_arrays(items.columns, lambda array: array[flat])
    if not isinstance(items, tuple) or not items:
        return None
    if all(type(x) is tuple for x in items) and len({len(x) for x in items}) == 1:
        columns = [in_arrays(column, frame) for column in zip(*items, strict=True)]
        return None if not columns or any(c is None for c in columns) else Items(tuple(columns))
    try:
        return NumberColumn.of_values(items, (1, len(items)))
    except Unbatched:
        return None


def _item_by_item(walker: Walk, node: Comprehension, items: tuple[Any, ...], frame: Frame) -> Any:
    inner = frame.scope()
    outer = frame.get(ITERATION)
    result = []
    for index, item in enumerate(items):
        walker.bind(node.target, item, inner, inner.local, node.place)
        if walker.noise.records:
            inner.local[ITERATION] = items_of([*(outer.values if isinstance(outer, Items) else outer), index])
        kept = True
        for test in node.filters:
            passed = walker.condition(test, inner)
            if not isinstance(passed, bool):
                raise Unbatched("a filter that differs from run to run")
            if not passed:
                kept = False
                break
        if kept:
            result.append(walker.value(node.element, inner))
    return Members(tuple(result)) if node.form == "set" else items_of(result)
