"""Distributions: that there is a proved bound on ln f(x)/f(x + d) for each one that is drawn from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alignkit.noise import DRAWS
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.path_trace import Trace
from alignkit.running.mechanism_program import MechanismProgram


def have_bounds(mechanism: MechanismProgram, traces: Iterable[Trace]) -> Iterator[Obligation]:
    """That there is a bound for what some path draws from, and for what the program may draw from; calls have none."""
    drawn = {draw.distribution.name for draw in mechanism.draws}
    drawn |= {draw.distribution for trace in traces for draw in trace.draws if not draw.of_a_call}
    for name in sorted(drawn):
        yield _settled(mechanism, name in DRAWS, f"there is a proved bound for {name} noise")
    if not drawn:
        yield _settled(mechanism, True, "no noise is drawn")


def _settled(mechanism: MechanismProgram, goal: bool, words: str) -> Obligation:
    return Obligation("distributions", Hypotheses.of(()), goal, words, mechanism.program.place, settled=True)
