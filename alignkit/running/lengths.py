"""The number of values that a noise vector may hold for a draw: one for each iteration of the loops around it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from alignkit.errors import AlignkitError, InputError
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Coordinate, Environment, Family
from alignkit.language.program import Call, Comprehension, Expression, For, Function, children
from alignkit.language.program import Draw as DrawNode
from alignkit.running.binding import evaluator_arguments
from alignkit.running.mechanism_program import MechanismProgram

# Where an expression is iterated: the path of calls, its place in the program, and the iterations around it.
_Visit = tuple[tuple[int, ...], int, tuple[int, ...]]


def check_lengths(
    mechanism: MechanismProgram, arguments: Mapping[str, Any], noise: Mapping[str, Any], context: Context
) -> None:
    """Raise InputError where a list of the noise vector has more values than its loop has iterations in this run.

    A loop that ends early leaves values that are not drawn; they are welcome.
    """
    lengths = _lengths(mechanism, arguments, context)
    for key, path, iterated in _draws(mechanism.program, mechanism, (), ()):
        if key in noise:
            _check(key, noise[key], (), path, iterated, lengths)


def _check(
    key: str,
    value: Any,
    index: tuple[int, ...],
    path: tuple[tuple[int, ...], ...],
    iterated: tuple[Expression, ...],
    lengths: Mapping[_Visit, int],
) -> None:
    depth = len(index)
    if depth == len(iterated) or not isinstance(value, tuple):
        return
    allowed = lengths.get((path[depth], id(iterated[depth]), index))
    if allowed is not None and any(part is not None for part in value[allowed:]):
        where = Coordinate(key, index)
        plural = "" if allowed == 1 else "s"
        raise InputError(
            f"H has {len(value)} values for {where}, but its loop has {allowed} iteration{plural} in this run; "
            "give one value for each iteration"
        )
    for i, part in enumerate(value):
        _check(key, part, (*index, i), path, iterated, lengths)


class _Measuring(Evaluator):
    """Notes how many items are iterated, and where."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.lengths: dict[_Visit, int] = {}

    def iterable(self, node: Expression, names: Environment) -> Any:
        items = super().iterable(node, names)
        if not isinstance(items, Family):
            self.lengths[self.path, id(node), self.iteration] = len(items)
        return items


def _lengths(mechanism: MechanismProgram, arguments: Mapping[str, Any], context: Context) -> dict[_Visit, int]:
    evaluator = _Measuring(context)
    with contextlib.suppress(AlignkitError):  # what comes before the run becomes undefined is measured
        evaluator.block(mechanism.program.body, evaluator_arguments(mechanism, arguments))
    return evaluator.lengths


def _draws(
    node: Any,
    mechanism: MechanismProgram,
    path: tuple[int, ...],
    around: tuple[tuple[tuple[int, ...], Expression], ...],
) -> Iterator[tuple[str, tuple[tuple[int, ...], ...], tuple[Expression, ...]]]:
    """Each draw's key, and what is iterated around it, the outermost first, with its path of calls."""
    if isinstance(node, Function):
        for statement in node.body:
            yield from _draws(statement, mechanism, path, around)
        return
    if isinstance(node, DrawNode):
        yield mechanism.keys[path, node.site], tuple(p for p, _ in around), tuple(e for _, e in around)
    if isinstance(node, Call):
        yield from _draws(node.function, mechanism, (*path, node.site), around)
    inside = (*around, (path, node.iterable)) if isinstance(node, For | Comprehension) else around
    for child in children(node):
        yield from _draws(child, mechanism, path, inside)
