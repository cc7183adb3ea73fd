"""An alignment's run on a concrete run of D, and the shifts that it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from alignkit.errors import Undefined
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Coordinate, LimitOf, is_number
from alignkit.language.program import Place, ShiftExpression
from alignkit.results import Witness
from alignkit.running.alignment_program import DIRECTION, AlignmentProgram
from alignkit.running.binding import exact_arguments, exactly
from alignkit.running.replaying import DrawnNoise, Run


class AlignmentContext(Context):
    """An alignment's run: it sees the noise that D drew."""

    def __init__(self, noise: Mapping[str, Any]) -> None:
        super().__init__({})
        self.noise = noise
        self.places: Mapping[str, Place] = {}  # where the shift of each draw is written, once it is returned

    def shift(self, node: ShiftExpression) -> None:
        self.places = {shift.name: shift.place for shift in node.shifts}

    def noise_value(self, name: str, place: Place) -> Any:
        if name not in self.noise:
            raise Undefined(f"H.{name} was not drawn on this run", place)
        return self.noise[name]


def alignment_arguments(alignment: AlignmentProgram, inputs: Witness, output: Any) -> dict[str, Any]:
    """The alignment's parameters with their values; the context supplies H."""
    one = exact_arguments(alignment.mechanism, inputs.values)
    other = exact_arguments(alignment.mechanism, inputs.values_)
    primed = {f"{name}_": other[name] for name in alignment.mechanism.private}
    changes = [
        b - a
        for name, kind in alignment.mechanism.private.items()
        for a, b in (zip(one[name], other[name], strict=False) if kind.vector else [(one[name], other[name])])
    ]
    direction = -1 if any(change < 0 for change in changes) else 1
    arguments = {DIRECTION: direction, **one, **primed, "omega": output, "H": None}
    return {name: arguments[name] for name in alignment.program.parameters}


Returned = tuple[tuple[Any, Any], ...]
"""What an alignment returned: shifts by the names of draws, limits by ``LimitOf``."""


def shifts_for(
    alignment: AlignmentProgram, inputs: Witness, run: Run, context: AlignmentContext
) -> dict[Coordinate, Any]:
    """Run the alignment on D's run; Undefined where it gives no shifts."""
    return spread(alignment, returned_for(alignment, inputs, run, context), run)


def returned_for(alignment: AlignmentProgram, inputs: Witness, run: Run, context: AlignmentContext) -> Returned:
    """What the alignment returns on D's run; Undefined where it returns nothing."""
    arguments = alignment_arguments(alignment, inputs, run.output)
    returned: Returned = Evaluator(context).call(alignment.program, tuple(arguments.values()))
    return returned


def broken_limit(alignment: AlignmentProgram, returned: Returned, run: Run) -> str | None:
    """The first draw of D that is not within a limit of the alignment, in words; None where all are within theirs."""
    for drawn, upper, limit in limits_for(alignment, returned, run):
        if not (drawn.value < limit if upper else drawn.value > limit):
            return f"{drawn.where} is {drawn.value}, not {'below' if upper else 'above'} its limit {limit}"
    return None


def limits_for(alignment: AlignmentProgram, returned: Returned, run: Run) -> Iterator[tuple[DrawnNoise, bool, Any]]:
    """The limits of what D drew: each with the draw, and whether the draw is to be below it, or above it."""
    stated = dict(returned)
    for key in stated:
        if isinstance(key, LimitOf) and not key.given:
            for drawn in run.drawn:
                limit = _limit_at(alignment, stated, key, drawn.where) if drawn.where.key == key.name else None
                if limit is not None:
                    yield drawn, key.upper, limit


def _limit_at(alignment: AlignmentProgram, stated: Mapping[Any, Any], key: LimitOf, where: Coordinate) -> Any:
    """The limit of a coordinate; None where it has none, and Undefined where the alignment's list is too short."""
    value, given = stated[key], stated.get(replace(key, given=True), 1)
    for index in where.index:
        if not isinstance(value, tuple) or index >= len(value):
            raise Undefined(f"no limit for {where}, which D draws", alignment.program.place)
        value, given = value[index], given[index] if isinstance(given, tuple) else given
    return None if value is None or given == 0 else exactly(value)


def spread(alignment: AlignmentProgram, returned: Returned, run: Run) -> dict[Coordinate, Any]:
    """The exact shift of every coordinate that D drew, by what the alignment returned; Undefined where one is missing.
    """
    stated = dict(returned)
    place = alignment.program.place
    shifts: dict[Coordinate, Any] = {}
    for drawn in run.drawn:
        value = stated.get(drawn.where.key, 0)
        if drawn.where.key in stated:
            for index in drawn.where.index:
                if not isinstance(value, tuple):
                    problem = f"{drawn.where.key} needs a list of shifts, one for each iteration"
                    raise Undefined(problem, place)
                if index >= len(value):
                    raise Undefined(f"no shift for {drawn.where}, which D draws", place)
                value = value[index]
            if not is_number(value):
                raise Undefined(f"the shift of {drawn.where} is not a number", place)
        shifts[drawn.where] = exactly(value)
    return shifts
