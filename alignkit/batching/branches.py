"""Branches: which runs go which way, and what names stand for afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from alignkit.batching.columns import Array
from alignkit.batching.frames import Frame
from alignkit.batching.walks import Walk
from alignkit.language import program
from alignkit.language.program import Statement, walk


def branch(walker: Walk, node: program.If, frame: Frame) -> Array | None:
    """Run an ``if``. Gives back which runs have left it, and how."""
    left: Array | None = None
    below = []
    for where, statements in _arms(walker, node, frame):
        if where is None:
            return walker.block(statements, frame)
        if not statements or _is_usual_output(walker, statements, where, frame):
            continue
        at = np.nonzero(where.ravel())[0]
        if not len(at):
            continue
        inner = frame.below(at)
        below.append(inner)
        gone = walker.block(statements, inner)
        if gone is not None:
            left = np.zeros(frame.size, dtype=np.int8) if left is None else left
            left[at] = gone
    frame.merge(below)
    return left


def _arms(walker: Walk, node: program.If, frame: Frame) -> Iterator[tuple[Array | None, tuple[Statement, ...]]]:
    """The places of each arm; None where all places take it.

    ``elif`` is one more arm where its test may be evaluated at all places and concerns most of them.
    """
    rest: Array | None = None
    while True:
        test = walker.condition(node.test, frame)
        if not isinstance(test, bool):
            test = np.broadcast_to(test, frame.shape)
            held = np.count_nonzero(test)
            test = bool(held) if held in (0, test.size) else test
        if isinstance(test, bool):
            if test or rest is not None:
                yield rest, node.then if test else ()
            other = None if test else rest
            if test:
                return
        else:
            yield test if rest is None else test & rest, node.then
            other = ~test if rest is None else rest & ~test
        rest = other
        further = node.other[0] if len(node.other) == 1 else None
        if not (frame.safe and isinstance(further, program.If) and _is_free(further.test)) or (
            rest is not None and 2 * np.count_nonzero(rest) < rest.size
        ):
            yield rest, node.other
            return
        node = further


def _is_free(test: Any) -> bool:
    """Whether an expression draws nothing and calls nothing, so that it may be evaluated where it is not asked for."""
    return not any(isinstance(each, program.Draw | program.Call | program.Comprehension) for each in walk(test))


def _is_usual_output(walker: Walk, statements: tuple[Statement, ...], where: Array, frame: Frame) -> bool:
    """Whether the statements put out the usual output, and do nothing else."""
    node = statements[0]
    if len(statements) > 1 or not isinstance(node, program.Yield) or not frame.has_anchor:
        return False
    if not all(isinstance(each, program.Constant | program.Sequence) for each in walk(node.value)):
        return False
    return frame.anchor.emit_usual(walker.value(node.value, frame), where.ravel())
