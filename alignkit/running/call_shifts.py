"""The shifts of the noise of calls: in a concrete run they are those that the lemma of the call gives.

A proof by lemmas knows no more of a call than its claim. In a run the lemma itself moves the callee's noise, so that
the run on D′ exists and can be held against that of D.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from alignkit.errors import Stopped, Undefined
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import MechanismCall
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import AlignmentContext, shifts_for
from alignkit.running.replaying import CalledRun, DrawnNoise, Run, alike


class CallShifts:
    """The shifts of the noise of calls on D, computed call by call while D′ is run."""

    def __init__(self, alignment: AlignmentProgram, run: Run) -> None:
        self.mechanism = alignment.mechanism
        self.lemmas = alignment.lemmas
        self.run = run
        self.shifts: dict[Coordinate, Any] = {}

    @contextmanager
    def within(
        self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]
    ) -> Iterator[Mapping[Coordinate, Any]]:
        """The shifts of a call that D′ makes with these arguments; inside, calls go by the lemmas of its lemma."""
        lemma = next((lemma for lemma in self.lemmas if lemma.mechanism is node.mechanism), None)
        if lemma is None:
            yield {}
            return
        path = (*evaluator.path, node.site)
        of_d = self.run.called.get((path, evaluator.iteration))
        if of_d is None:
            raise Stopped(f"D' calls {node.function.name}, but D does not", node.place)
        shifts = self._shifts(lemma, of_d, arguments, path, len(evaluator.iteration))
        self.shifts |= shifts
        outer, self.lemmas = self.lemmas, lemma.lemmas
        try:
            yield shifts
        finally:
            self.lemmas = outer

    def _shifts(
        self, lemma: AlignmentProgram, of_d: CalledRun, given: tuple[Any, ...], path: tuple[int, ...], depth: int
    ) -> dict[Coordinate, Any]:
        callee = lemma.mechanism
        names = callee.program.parameters
        values = dict(zip(names, of_d.arguments, strict=True))
        values_ = dict(zip(names, given, strict=True))
        del values[callee.noise_name], values_[callee.noise_name]
        drawn = self.run.drawn[of_d.first : of_d.last]
        if alike(tuple(values.values()), tuple(values_.values())):
            return {draw.where: 0 for draw in drawn}
        inside = [draw.key for draw in self.mechanism.draws if draw.path[: len(path)] == path]
        own = dict(zip(inside, (draw.key for draw in callee.draws), strict=True))
        renamed: dict[Coordinate, DrawnNoise] = {
            draw.where: replace(draw, where=Coordinate(own[draw.where.key], draw.where.index[depth:]))
            for draw in drawn
        }
        inner = Run(of_d.output, tuple(renamed.values()), "return", None)
        try:
            shifts = shifts_for(lemma, Witness.of(callee, values, values_), inner, AlignmentContext(inner.H))
        except Undefined as problem:
            raise Stopped(f"the lemma {lemma.name} is not defined here: {problem.problem}", problem.place) from None
        return {where: shifts[draw.where] for where, draw in renamed.items()}
