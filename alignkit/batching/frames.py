"""Frames: the runs that a statement concerns, and the values that names have in them."""

from __future__ import annotations

import contextlib
import functools
import math
from typing import Any, cast

import numpy as np

from alignkit.batching.batch_values import Part, Places, Shape, by_arrays, merged, same, taken, varies
from alignkit.batching.columns import Array

_MISSING = object()
ITERATION = "[iteration]"  # the iteration vector, as a name that no program has


class Usual:
    """The output that most places have, if it is the same at all of them; their positions need not be kept."""

    def __init__(self) -> None:
        self.value: Any = _MISSING

    def takes(self, value: Any, share: float) -> bool:
        """Whether an output that a share of the places has is, or from now on is, the usual one."""
        if self.value is _MISSING and share > 1 / 2 and not varies(value):
            self.value = value
        return self.value is not _MISSING and not varies(value) and same(self.value, value)

    @property
    def known(self) -> bool:
        return self.value is not _MISSING


class Anchor:
    """Where a function's runs leave what they give: their outputs by row and position, and their return values."""

    def __init__(self, size: int, usual: Usual) -> None:
        self.size, self.usual = size, usual
        self.everywhere = 0  # outputs that all rows have
        self.more: Array | None = None  # and further ones of each row
        self.emitted: list[tuple[Array, Array, Any]] = []  # all but the usual output
        self.returned: list[Part] = []
        self.noted: list[tuple[Any, Array]] = []  # statements that keep the books, with their rows

    @property
    def lengths(self) -> Array:
        """How many outputs each row has."""
        return np.full(self.size, self.everywhere) if self.more is None else self.more + self.everywhere

    @property
    def common_length(self) -> int | None:
        """How many outputs every row has, if that is one number."""
        if self.more is not None and self.size and (self.more == self.more[0]).all():
            self.everywhere, self.more = self.everywhere + int(self.more[0]), None
        return self.everywhere if self.more is None else None

    def emit(self, value: Any, rows: Array) -> None:
        """The next output of some rows."""
        if self.usual.takes(value, len(rows) / self.size):
            if len(rows) == self.size:
                self.everywhere += 1
            else:
                self._further()[rows] += 1
            return
        at = self._further()[rows]
        self.emitted.append((rows, at + self.everywhere, value))
        self._further()[rows] = at + 1

    def emit_usual(self, value: Any, where: Array) -> bool:
        """Emit where a condition holds, if the value is the usual one; whether it is."""
        if not self.usual.takes(value, np.count_nonzero(where) / self.size):
            return False
        self._further()[:] += where
        return True

    def add(self, rows: Array, outputs: Array) -> None:
        """Count outputs that some rows have had."""
        self._further()[rows] += outputs

    def _further(self) -> Array:
        if self.more is None:
            self.more = np.zeros(self.size, dtype=np.int64)
        return self.more


class Frame:
    """Some runs, in one dimension; or in two, where each row is a run and each column an iteration or item.

    A name that is not assigned here has the value that it has in the frame above. ``at`` are the places of the runs
    there, flattened; None where the runs are the same, or where this frame has a column for each of several items.
    """

    def __init__(self, shape: Shape, anchor: Anchor, above: Frame | None, local: dict[str, Any]) -> None:
        self.shape, self.anchor, self.above, self.local = shape, anchor, above, local
        self.at: Array | None = None
        self.safe = False  # whether every expression has a value at every place, even where it is not asked for
        self.same = False  # whether the frame above has the same runs in the same places
        self._seen: dict[str, Any] = {}

    @functools.cached_property
    def runs(self) -> Array:
        """The numbers of the runs."""
        assert self.above is not None
        return self._places_from_above(self.above.runs)

    @functools.cached_property
    def rows(self) -> Array:
        """The places of the runs in the frame that has the anchor, flattened there."""
        if self.above is None or self.above.anchor is not self.anchor:
            return np.arange(self.size).reshape(self.shape)
        if self.at is not None and self.above.has_anchor:
            return self.at
        return self._places_from_above(self.above.rows)

    def _places_from_above(self, places: Array) -> Array:
        return places if self.same else np.broadcast_to(cast(Array, self._from_above(places)), self.shape)

    @property
    def has_anchor(self) -> bool:
        """Whether the frame is the one that has the anchor."""
        return self.above is None or self.above.anchor is not self.anchor

    @staticmethod
    def first(runs: Array, local: dict[str, Any]) -> Frame:
        """The runs of a batch."""
        frame = Frame(runs.shape, Anchor(runs.size, Usual()), None, local)
        frame.runs = runs
        return frame

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def get(self, name: str) -> Any:
        """The value of a name; KeyError where it has none."""
        value = self.local.get(name, _MISSING)
        if value is _MISSING:
            value = self._seen.get(name, _MISSING)
        if value is _MISSING:
            if self.above is None:
                raise KeyError(name)
            value = self.above.get(name)
            if varies(value) and not self.same:
                value = self._from_above(value)
            self._seen[name] = value
        return value

    def _from_above(self, value: Any) -> Any:
        assert self.above is not None
        if self.at is None:
            return by_arrays(value, lambda array: array[:, None])
        return self._picked.taken(value)

    @functools.cached_property
    def _picked(self) -> Places:
        assert self.above is not None
        assert self.at is not None
        return Places(self.above.shape, self.at)

    def scope(self) -> Frame:
        """The same runs, with names of their own."""
        frame = Frame(self.shape, self.anchor, self, {})
        frame.same = True
        return frame

    def flat(self) -> Frame:
        """The runs in one dimension."""
        return self if len(self.shape) == 1 else self.below(np.arange(self.size))

    def below(self, at: Array) -> Frame:
        """The runs at some places of this frame, in_one_row, in one dimension."""
        frame = Frame(at.shape, self.anchor, self, {})
        frame.at = at
        return frame

    def spread(self, columns: int, anchor: Anchor | None = None) -> Frame:
        """Each run of this frame, which has one dimension, as a row of so many columns."""
        return Frame((self.shape[0], columns), self.anchor if anchor is None else anchor, self, {})

    def inside(self, local: dict[str, Any]) -> Frame:
        """The same runs in a function that is called."""
        frame = Frame(self.shape, Anchor(self.size, Usual()), None, local)
        frame.runs = self.runs
        return frame

    def merge(self, frames: list[Frame]) -> None:
        """Take over what frames below this one, of different runs, have assigned."""
        names = dict.fromkeys(name for frame in frames for name in frame.local)
        everywhere = np.arange(self.size)
        for name in names:
            if name == ITERATION:
                continue
            parts = []
            with contextlib.suppress(KeyError):
                parts.append(Part(everywhere, in_one_row(self.get(name), self.shape)))
            for frame in frames:
                if name in frame.local:
                    assert frame.at is not None
                    parts.append(Part(frame.at, frame.local[name]))
            if sum(len(p.at) for p in parts[1:]) == self.size:
                parts = parts[1:]  # nothing is left of the value before
            self.local[name] = merged(self.shape, parts)


def in_one_row(value: Any, shape: Shape) -> Any:
    """A value in one dimension."""
    return taken(value, shape, np.arange(int(np.prod(shape)))) if len(shape) > 1 and varies(value) else value
