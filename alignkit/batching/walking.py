"""Statements on frames: which runs go which way, and what names stand for afterwards.

A statement gives back which of the frame's runs have left it, and how: an array of codes in the shape of the flattened
frame, or None where all go on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from alignkit.batching import batch_expressions, branches, loops_in_frames
from alignkit.batching.batch_noise import BatchNoise
from alignkit.batching.batch_values import Mixture, Part, merged, options_of, taken
from alignkit.batching.bookkeeping import Noted
from alignkit.batching.columns import Array
from alignkit.batching.frames import ITERATION, Frame
from alignkit.batching.leaving import BROKE, LIVE, RETURNED
from alignkit.batching.sequences import sequence
from alignkit.batching.unsupported import Unbatched
from alignkit.errors import Undefined
from alignkit.language import program
from alignkit.language.program import Function, Place, Statement, Target

Left = Array | None


class Walker:
    """Runs a program on all runs of a batch.

    ``keys`` names each draw by its path of calls and its place; ``noise`` gives its values.
    """

    def __init__(self, keys: Any, noise: BatchNoise) -> None:
        self.keys, self.noise = keys, noise
        self.path: tuple[int, ...] = ()

    def run(self, function: Function, names: dict[str, Any], runs: Array) -> Frame:
        """The frame of the runs, whose anchor has their outputs."""
        frame = Frame.first(runs, {**names, ITERATION: ()})
        with np.errstate(over="ignore", invalid="ignore"):
            self.block(function.body, frame)
        return frame

    def call(self, function: Function, arguments: list[Any], site: int, frame: Frame) -> Any:
        """What a function returns."""
        inner = frame.inside(dict(zip(function.parameters, arguments, strict=True)))
        inner.local[ITERATION] = frame.get(ITERATION)
        outer = self.path
        self.path = (*outer, site)
        try:
            left = self.block(function.body, inner)
        finally:
            self.path = outer
        parts = inner.anchor.returned
        if left is None or (left != RETURNED).any():
            at = np.arange(inner.size) if left is None else np.nonzero(left != RETURNED)[0]
            parts = [Part(at, None), *parts]
        return merged(frame.shape, parts)

    def block(self, statements: tuple[Statement, ...], frame: Frame) -> Left:
        for position, node in enumerate(statements):
            left = self.statement(node, frame)
            if left is None:
                continue
            live = np.nonzero(left == LIVE)[0]
            rest = statements[position + 1 :]
            if len(live) and rest:
                below = frame.below(live)
                later = self.block(rest, below)
                frame.merge([below])
                if later is not None:
                    left[live] = later
            return left
        return None

    def statement(self, node: Statement | Noted, frame: Frame) -> Left:
        if isinstance(node, program.Assign):
            self.bind(node.target, self.value(node.value, frame), frame, frame.local, node.place)
        elif isinstance(node, program.If):
            return branches.branch(self, node, frame)
        elif isinstance(node, program.For):
            return loops_in_frames.loop(self, node, frame)
        elif isinstance(node, program.Yield):
            self._emit(self.value(node.value, frame), frame)
        elif isinstance(node, program.Return):
            value = None if node.value is None else self.value(node.value, frame)
            rows = frame.rows.ravel()
            frame.anchor.returned.append(Part(rows, taken(value, frame.shape, np.arange(frame.size))))
            return np.full(frame.size, RETURNED, dtype=np.int8)
        elif isinstance(node, program.Break):
            return np.full(frame.size, BROKE, dtype=np.int8)
        elif isinstance(node, Noted):
            frame.anchor.noted.append((node.statement, frame.rows.ravel()))
        return None

    def _emit(self, value: Any, frame: Frame) -> None:
        frame.anchor.emit(taken(value, frame.shape, np.arange(frame.size)), frame.rows.ravel())

    def bind(self, target: Target, value: Any, frame: Frame, names: dict[str, Any], place: Place) -> None:
        if isinstance(target, str):
            names[target] = value
            return
        for part, item in zip(target, self.unpacked(value, len(target), frame, place), strict=True):
            self.bind(part, item, frame, names, place)

    def unpacked(self, value: Any, length: int, frame: Frame, place: Place) -> tuple[Any, ...]:
        """The items of a sequence of a known length."""
        if isinstance(value, Mixture):
            parts = [(at, self.unpacked(v, length, frame, place)) for at, v in options_of(value, frame.shape)]
            return tuple(merged(frame.shape, [Part(at, v[i]) for at, v in parts]) for i in range(length))
        values = sequence(value, frame, place, "unpacked")
        if len(values) != length:
            raise self.undefined(f"cannot unpack {len(values)} values into {length}", place, frame)
        return values

    def value(self, node: Any, frame: Frame) -> Any:
        return batch_expressions.EXPRESSIONS[type(node)](self, node, frame)

    def condition(self, node: Any, frame: Frame) -> Any:
        """A Boolean, or an array of them."""
        value = self.value(node, frame)
        if not isinstance(value, bool | np.ndarray):
            raise Unbatched("a condition of varying kind")
        if isinstance(value, np.ndarray) and value.size == 1 and frame.size != 1:
            return bool(value.reshape(-1)[0])
        return value

    @staticmethod
    def undefined(problem: str, place: Place, frame: Frame, where: Array | None = None) -> Undefined:
        """The error where some run is not defined: the first of those at which ``where`` holds."""
        runs = frame.runs if where is None else frame.runs[np.broadcast_to(where, frame.shape)]
        return Undefined(f"{problem} (in run {int(runs.reshape(-1)[0])})", place)
