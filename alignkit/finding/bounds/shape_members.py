"""Whether an alignment is one of those that a bound speaks of: its shifts are combinations of a shape's terms."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import PairedRun
from alignkit.finding.programs import LinearProgram
from alignkit.finding.shapes import DELTA, Shape
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import run_both
from alignkit.running.replaying import ReplayContext, by_name


def is_of_shape(alignment: Alignment, shape: Shape, pairs: Sequence[tuple[int, PairedRun]]) -> bool:
    """Whether coefficients of a shape give the shifts of an alignment in all paired runs.

    Coefficients may depend on the public parameters and on the number of answers: each pair has the number of its
    setting.
    """
    programs: dict[Any, LinearProgram] = {}
    for number, pair in pairs:
        sizes = tuple(len(value) for value in pair.witness.q.values() if isinstance(value, tuple))
        program = programs.setdefault((number, sizes), LinearProgram())
        noise = by_name({drawn.where: pair.noise[str(drawn.where)] for drawn in pair.drawn})
        shifts = run_both(alignment, pair.witness, ReplayContext(alignment.mechanism, noise)).shifts
        for drawn in pair.drawn:
            linear = dict(shape.terms(pair, drawn))
            shift = Fraction(shifts.get(drawn.where, 0))
            program.free |= linear.keys()
            program.add(linear, shift, shift)
        for key, share in shape.given.items():
            program.add({(key, (), DELTA): 1}, share, share)
    return all(program.least({}) is not None for program in programs.values())
