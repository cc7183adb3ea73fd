"""The positions of the largest items of a list, in every run; of equal items the first counts as larger."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.errors import InputError
from alignkit.language import functions
from alignkit.sampling.columns import Array, Column
from alignkit.sampling.comparisons import is_number
from alignkit.sampling.frames import Frame
from alignkit.sampling.unsupported import Unbatched
from alignkit.sampling.values import Table, mapped

# Up to so many items are found by looking for the largest again and again, which numpy does fast.
_FEW = 12


def largest(values: Table | tuple[Any, ...], k: int, frame: Frame) -> Table:
    """``largest(values, k)``."""
    length = values.length if isinstance(values, Table) else len(values)
    if not 1 <= k <= length:
        raise InputError(f"largest(values, {k}) needs at least {k} values, and there are {length}")
    found = np.array(_positions(_column(values, frame), k))
    rows = None if len(frame.shape) == 1 else np.arange(frame.size).reshape(frame.shape)
    return Table(Column.of_counts(found, bound=length, whole=True), k, rows)


def _column(values: Table | tuple[Any, ...], frame: Frame) -> Column:
    """The lists of all runs as the rows of a column."""
    if isinstance(values, Table):
        if not isinstance(values.columns, Column):
            raise Unbatched("largest of what are not numbers")
        if values.rows is None:
            return values.columns
        rows = values.rows.ravel()
        return values.columns.map(lambda array: array[rows])
    if not all(map(is_number, values)):
        raise Unbatched("largest of what are not numbers")
    if all(type(v) is float or (isinstance(v, Column) and v.exact is False) for v in values):
        floats = [v.floats if isinstance(v, Column) else np.array(v) for v in values]
        return Column(np.stack([np.broadcast_to(f, frame.shape).ravel() for f in floats], axis=1))
    lists = []
    for value in values:
        if isinstance(value, Column):
            lists.append(mapped(value, lambda a: np.broadcast_to(a, frame.shape)).values())
        else:
            lists.append([value] * frame.size)
    flat = [x for row in zip(*lists, strict=True) for x in row]
    return Column.of_values(flat, (frame.size, len(values)))


def _positions(column: Column, k: int) -> Array:
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
