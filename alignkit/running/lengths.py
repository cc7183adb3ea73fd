"""The number of values that a noise vector may hold for a draw: one for each iteration of the loops around it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from alignkit.errors import AlignkitError, InputError
from alignkit.formatting import counted
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Coordinate, Environment, Family, FilteredList
from alignkit.language.program import Expression
from alignkit.running.binding import exact_arguments
from alignkit.running.draws import DrawSite
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.running.replaying import ReplayContext

# Where an expression is iterated: the path of calls, its place in the program, and the iterations around it.
_Visit = tuple[tuple[int, ...], int, tuple[int, ...]]


def check_lengths(mechanism: MechanismProgram, values: Mapping[str, Any], noise: Mapping[str, Any]) -> None:
    """Raise InputError where a list of the noise vector has more values than its loop has iterations in this run.

    A loop that ends early leaves values that are not drawn; they are welcome.
    """
    evaluator = _Measuring(ReplayContext(mechanism, noise))
    with contextlib.suppress(AlignkitError):  # what comes before the run becomes undefined is measured
        evaluator.block(mechanism.program.body, mechanism.environment(exact_arguments(mechanism, values)))
    for draw in mechanism.draws:
        if draw.key in noise:
            _check(draw, noise[draw.key], (), evaluator.lengths)


def _check(draw: DrawSite, value: Any, index: tuple[int, ...], lengths: Mapping[_Visit, int]) -> None:
    """Check what a noise vector holds for a draw in the iterations ``index`` of its outermost loops."""
    if len(index) == draw.depth or not isinstance(value, tuple):
        return
    path, iterated = draw.loops[len(index)]
    allowed = lengths.get((path, id(iterated), index))
    if allowed is not None and any(part is not None for part in value[allowed:]):
        where = Coordinate(draw.key, index)
        given, iterations = counted(len(value), "value"), counted(allowed, "iteration")
        raise InputError(
            f"H has {given} for {where}, but its loop has {iterations} in this run; give one value for each iteration"
        )
    for i, part in enumerate(value):
        _check(draw, part, (*index, i), lengths)


class _Measuring(Evaluator):
    """Records how many items each loop has, and where it stands."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.lengths: dict[_Visit, int] = {}

    def gone_through(self, node: Expression, names: Environment) -> Any:
        items = super().gone_through(node, names)
        if not isinstance(items, Family | FilteredList):
            self.lengths[self.path, id(node), self.iteration] = op.count(items) if type(items) is range else len(items)
        return items
