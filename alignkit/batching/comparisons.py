"""Comparisons of any two values of a frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching.arithmetic_on_columns import compared
from alignkit.batching.batch_values import Items, Mixture, Part, merged, options_of, taken, varies
from alignkit.batching.columns import NumberColumn
from alignkit.batching.frames import Frame
from alignkit.batching.sequences import sequence
from alignkit.batching.unsupported import Unbatched
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Members
from alignkit.language.program import Place
from alignkit.language.tags import Tag


def compare_values(symbol: str, left: Any, right: Any, frame: Frame, place: Place) -> Any:
    """``left symbol right``: a Boolean, or an array of them."""
    mixed = isinstance(left, Mixture) or isinstance(right, Mixture)
    if symbol in op.COMPARE and not mixed and (isinstance(left, NumberColumn) or isinstance(right, NumberColumn)):
        if is_numeric(left) and is_numeric(right):
            return compared(symbol, left, right)
        if symbol in ("==", "!="):
            return symbol == "!="
    if not varies(left) and not varies(right) and not _varied_members(right):
        return op.compare(symbol, left, right, place)
    if symbol in ("is not", "not in", "!="):
        same = compare_values({"is not": "is", "not in": "in", "!=": "=="}[symbol], left, right, frame, place)
        return (not same) if isinstance(same, bool) else ~same
    for mixture, first in ((left, True), (right, False)):
        if isinstance(mixture, Mixture):
            parts = []
            for at, value in options_of(mixture, frame.shape):
                other = taken(right if first else left, frame.shape, at)
                pair = (value, other) if first else (other, value)
                parts.append(Part(at, compare_values(symbol, *pair, frame.below(at), place)))
            return merged(frame.shape, parts)
    if symbol == "in":
        return _member(left, right, frame, place)
    if isinstance(left, Tag) or isinstance(right, Tag):
        return False
    if isinstance(left, bool | np.ndarray) and isinstance(right, bool | np.ndarray):
        return np.asarray(left == right)
    if isinstance(left, tuple | Items) and isinstance(right, tuple | Items) and symbol == "==":
        raise Unbatched("a comparison of two sequences")
    raise Unbatched("a comparison of values of varying kind")


def is_numeric(value: Any) -> bool:
    return isinstance(value, NumberColumn) or (not isinstance(value, bool) and hasattr(value, "numerator")) or (
        type(value) is float
    )


def _varied_members(value: Any) -> bool:
    return isinstance(value, Members) and any(map(varies, value.items))


def _member(value: Any, container: Any, frame: Frame, place: Place) -> Any:
    items = container.items if isinstance(container, Members) else sequence(container, frame, place)
    found: Any = False
    for item in items:
        found = found | compare_values("==", value, item, frame, place)
    return found
