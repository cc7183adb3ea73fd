"""Items of sequences, and the two sides of a condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.batch_values import Items, ItemTable, Mixture, by_arrays
from alignkit.batching.columns import Array, NumberColumn
from alignkit.batching.frames import Frame
from alignkit.batching.unsupported import Unbatched
from alignkit.interpreting import operations as op
from alignkit.language.program import Place


def split(test: Array, frame: Frame) -> tuple[Array, Array]:
    """The places where a condition holds, and those where it does not."""
    flat = test.ravel() if test.shape == frame.shape else np.broadcast_to(test, frame.shape).ravel()
    return np.nonzero(flat)[0], np.nonzero(~flat)[0]


def sequence(value: Any, frame: Frame, place: Place, what: str = "iterated") -> tuple[Any, ...]:
    """The items of a sequence, each a value in the frame."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, Items):
        return value.values
    if isinstance(value, ItemTable):
        return tuple(item_at(value, i, frame) for i in range(value.length))
    if isinstance(value, Mixture | NumberColumn):
        raise Unbatched("a sequence that is of several lengths")
    raise op.misfit((value,), place, f"{op.kind(value)} cannot be {what}", "give it a list or a query vector")


def item_at(table: ItemTable, index: Any, frame: Frame | None) -> Any:
    """The item of a table at a whole number, or at an array of them."""
    rows = table.rows
    if rows is None:
        if isinstance(index, int):
            return by_arrays(table.columns, lambda array: array[:, index])
        assert frame is not None
        rows = np.arange(frame.shape[0])
    return by_arrays(table.columns, lambda array: array[rows, index])
