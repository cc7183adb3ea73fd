"""Items of sequences, and the two sides of a condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.interpreting import operations as op
from alignkit.language.program import Place
from alignkit.sampling.columns import Array, Column
from alignkit.sampling.frames import Frame
from alignkit.sampling.unsupported import Unbatched
from alignkit.sampling.values import Items, Mixture, Table, mapped


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
    if isinstance(value, Table):
        return tuple(entry(value, i, frame) for i in range(value.length))
    if isinstance(value, Mixture | Column):
        raise Unbatched("a sequence that is of several lengths")
    raise op.misfit((value,), place, f"{op.kind(value)} cannot be {what}", "give it a list or a query vector")


def entry(table: Table, index: Any, frame: Frame) -> Any:
    """The item of a table at a whole number, or at an array of them."""
    rows = table.rows
    if rows is None:
        if isinstance(index, int):
            return mapped(table.columns, lambda array: array[:, index])
        rows = np.arange(frame.shape[0])
    return mapped(table.columns, lambda array: array[rows, index])
