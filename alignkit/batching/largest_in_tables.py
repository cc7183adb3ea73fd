"""The positions of the largest items of a list, in every run; of equal items the first counts as larger."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.batch_values import ItemTable, by_arrays
from alignkit.batching.columns import Array, NumberColumn
from alignkit.batching.comparisons import is_numeric
from alignkit.batching.frames import Frame
from alignkit.batching.unsupported import Unbatched
from alignkit.errors import InputError
from alignkit.language import functions

# Up to so many items are found by looking for the largest again and again, which numpy does fast.
_FEW = 12


def largest_positions(values: ItemTable | tuple[Any, ...], k: int, frame: Frame) -> ItemTable:
    """``largest(values, k)``."""
    length = values.length if isinstance(values, ItemTable) else len(values)
    if not 1 <= k <= length:
        raise InputError(f"largest(values, {k}) needs at least {k} values, and there are {length}")
    found = np.array(_positions(_column(values, frame), k))
    rows = None if len(frame.shape) == 1 else np.arange(frame.size).reshape(frame.shape)
    return ItemTable(NumberColumn.of_counts(found, bound=length, whole=True), k, rows)


def _column(values: ItemTable | tuple[Any, ...], frame: Frame) -> NumberColumn:
    """The lists of all runs as the rows of a column."""
    if isinstance(values, ItemTable):
        if not isinstance(values.columns, NumberColumn):
            raise Unbatched("largest of what are not numbers")
        if values.rows is None:
            return values.columns
        rows = values.rows.ravel()
        return values.columns.map(lambda array: array[rows])
    if not all(map(is_numeric, values)):
        raise Unbatched("largest of what are not numbers")
    if all(type(v) is float or (isinstance(v, NumberColumn) and v.exact is False) for v in values):
        floats = [v.floats if isinstance(v, NumberColumn) else np.array(v) for v in values]
        return NumberColumn(np.stack([np.broadcast_to(f, frame.shape).ravel() for f in floats], axis=1))
    lists = []
    for value in values:
        if isinstance(value, NumberColumn):
            lists.append(by_arrays(value, lambda a: np.broadcast_to(a, frame.shape)).values())
        else:
            lists.append([value] * frame.size)
    flat = [x for row in zip(*lists, strict=True) for x in row]
    return NumberColumn.of_values(flat, (frame.size, len(values)))


def _positions(column: NumberColumn, k: int) -> Array:
    if column.exact is False:
        return _of_keys(column.floats, k)
    if column.exact is True and column.counts is not None and column.counts.dtype != object:
        return _of_keys(column.counts, k)
    rows, length = column.shape
    listed = column.values()
    return np.array([functions.largest(listed[i * length : (i + 1) * length], k) for i in range(rows)])


def _of_keys(keys: Array, k: int) -> Array:
    lowest = -np.inf if keys.dtype == float else np.iinfo(np.int64).min
    if k <= _FEW and bool((keys > lowest).all()):
        return _one_by_one(np.array(keys), k, lowest)
    # Ascending by the negative key; a stable sort keeps equal items in order.
    return np.argsort(-keys, axis=1, kind="stable")[:, :k]


def _one_by_one(keys: Array, k: int, lowest: Any) -> Array:
    rows = np.arange(len(keys))
    found = np.empty((len(keys), k), dtype=np.int64)
    for i in range(k):
        found[:, i] = keys.argmax(axis=1)
        if i + 1 < k:
            keys[rows, found[:, i]] = lowest
    return found
