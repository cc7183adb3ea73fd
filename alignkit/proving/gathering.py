"""Gathering the obligations of a proof for every n, as planned. Nothing is decided here.

Distributions: that there is a proved bound on ln f(x)/f(x + d) for each one that is drawn from.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.language.program import For
from alignkit.noise import DRAWS
from alignkit.proving.conditions import adaptive_queries, noise_used
from alignkit.proving.conditions.cost import Bound
from alignkit.proving.conditions.one_to_one import by_pieces
from alignkit.proving.conditions.one_to_one.by_order import merged_order
from alignkit.proving.facts.hypotheses import Hypotheses, Premise
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.obligation import Obligation
from alignkit.proving.planned_runs import ProofPlan, records_as_planned, told_by_draws
from alignkit.proving.runs.loop_states import LoopNumber, inner_number, iteration_of
from alignkit.proving.runs.path_trace import Trace
from alignkit.proving.symbolic_trial import Exploration, Record
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.mechanism_program import MechanismProgram
from alignkit.symbolic.formulas import implies
from alignkit.verdicts import CallPart, Presumed


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


@dataclass(frozen=True)
class Theory:
    """Everything that has to be shown for a proof: the obligations, and what they rest on.

    ``presumed`` narrows the inputs; ``traces`` are what D did, each once, and ``records`` all paths that were run.
    ``unreached`` are loops of which no iteration was run.
    """

    obligations: tuple[Obligation, ...]
    presumed: tuple[Presumed, ...]
    traces: tuple[Trace, ...]
    records: tuple[Record, ...] = field(repr=False)
    planned: ProofPlan
    unreached: tuple[For, ...] = ()

    @property
    def premises(self) -> tuple[Premise, ...]:
        """What the proof speaks of, each once: all of it must be possible."""
        return tuple({p.whole.key: p for record in self.records for p in record.premises}.values())

    @property
    def loop(self) -> For | None:
        """The loop of symbolic length, where there is just one."""
        plans = self.planned.plans
        return plans[0].loop if len(plans) == 1 and not plans[0].inner else None

    @property
    def invariants(self) -> tuple[str, ...]:
        """The names of the invariants that are obliged."""
        return tuple(name for plan in self.planned.plans for name in plan.obliged)

    @property
    def bounds(self) -> tuple[Bound, ...]:
        """The ends of all paths, with what they cost."""
        return tuple(bound for record in self.records for bound in record.bounds)

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The calls that are used by their lemmas, each once."""
        return tuple({(part.name, part.price): part for record in self.records for part in record.calls}.values())

    @property
    def pairs(self) -> tuple[Hypotheses, ...]:
        """What is known of two runs with one output and one image, where the alignment is one-to-one by pieces."""
        return tuple(record.pair for record in self.records if record.pair is not None)

    @property
    def noise_order(self) -> tuple[str, ...]:
        """All noise in an order in which each shift reads earlier noise only; empty where paths have no common one."""
        return merged_order([order for record in self.records for order in record.orders])

    @property
    def one_to_one(self) -> str:
        """How the alignment is one-to-one by pieces; empty where it is by an order of the noise."""
        if not self.planned.by_pieces:
            return ""
        told = {record.one_to_one for record in self.records}
        volume = next((words for words in by_pieces.VOLUMES if words in told), by_pieces.UNIT)
        return f"by pieces: injective on {{H : M(D, H) = omega}}; {volume}"


def obligations(exploration: Exploration, planned: ProofPlan) -> Theory:
    """All obligations of a proof that goes as planned."""
    records = records_as_planned(exploration, planned)
    traces = tuple({r.trace.key: r.trace for r in records if r.trace is not None}.values())
    owed: dict[Hashable, Obligation] = {}
    presumed: dict[str, Presumed] = {}
    # Where outputs or lists tell which iterations gave them, two runs with one output may be at different iterations.
    alone = all(plan.alone and not plan.told and not plan.lists for plan in planned.plans)
    by_draws = _by_draws(exploration.alignment, planned, traces)
    told_apart = noise_used.determined_by_output(traces, alone=alone, by_draws=by_draws)
    released = noise_used.scales_released(traces, alone=alone)
    read = noise_used.read_alike(((r.trace, r.reals) for r in records if r.trace is not None), alone=alone)
    lemmas = () if exploration.lemmas is None else exploration.lemmas.proved.values()
    for presumption in (p for r in records for p in r.presumed):
        presumed.setdefault(str(presumption.formula), presumption)
    needed = (implies(p.given, p.formula) for r in records for p in r.presumed)
    of_d = tuple(dict.fromkeys(formula for formula in needed if formula is not True))
    own = [_presuming(o, of_d) for r in records for o in r.obligations]
    own += (o for lemma in lemmas for o in lemma.obliged)
    left = [_presuming(o, of_d) for r in records for o in r.left_to_others]
    for obligation in (
        *own,
        *told_apart,
        *told_by_draws(records, allowed=by_draws),
        *released,
        *read,
        *have_bounds(exploration.alignment.mechanism, traces),
        *adaptive_queries.shown_to_analysts(exploration.alignment, traces, planned.theorem),
    ):
        owed.setdefault(obligation.key, obligation)
    for obligation in _obliged_nowhere(owed.values(), left):
        owed.setdefault(obligation.key, obligation)
    for name in sorted(_relied_on(records) - {n for o in (*own, *left) for n in _names(o)}, key=str):
        missing = Obligation("same_output", Hypotheses.of(()), False, f"some path obliges that {name[0]}")
        owed.setdefault(missing.key, missing)
    return Theory(
        tuple(owed.values()), tuple(presumed.values()), traces, records, planned, _unreached(planned.plans, traces)
    )


def _by_draws(alignment: AlignmentProgram, planned: ProofPlan, traces: Sequence[Trace]) -> bool:
    """Whether the alignment may be looked at for each list of draws by itself.

    The theorem (docs/theory/loops.md) is for an order of the noise and for queries that are fixed. Calls that are used
    by their lemmas are not looked into.
    """
    calls = any(draw.of_a_call for trace in traces for draw in trace.draws)
    return not (planned.by_pieces or planned.theorem is not None or alignment.adaptive or calls)


def _presuming(obligation: Obligation, presumed: tuple[Any, ...]) -> Obligation:
    """The obligation, given what D presumes of public values where it may rest on that."""
    if not obligation.presuming or not presumed:
        return obligation
    return replace(obligation, hypotheses=obligation.hypotheses.also(presumed))


def _obliged_nowhere(listed: Iterable[Obligation], left: Iterable[Obligation]) -> list[Obligation]:
    """Those of the obligations that a stage has left to others which no other has listed, from as little."""
    asked: dict[Hashable, list[frozenset[Any]]] = {}
    for obligation in listed:
        asked.setdefault(_question(obligation), []).append(frozenset(obligation.hypotheses.whole))
    return [
        one
        for one in left
        if one.goal is not True
        and not any(known <= frozenset(one.hypotheses.whole) for known in asked.get(_question(one), ()))
    ]


def _relied_on(records: Iterable[Record]) -> set[tuple[str, Any]]:
    """What some path takes as known because it is obliged."""
    return {name for record in records for name in record.relied_on if name[1] is not True}


def _names(obligation: Obligation) -> Iterator[tuple[str | None, Any]]:
    """The names under which the goal of an obligation may be relied on."""
    yield obligation.words, None
    yield obligation.invariant, None
    yield obligation.words, obligation.goal


def _question(obligation: Obligation) -> Hashable:
    return obligation.condition, obligation.goal, obligation.words, obligation.line


def _unreached(plans: Iterable[LoopPlan], traces: Iterable[Trace]) -> tuple[For, ...]:
    """The planned loops of which no path runs an iteration: a proof would say nothing of what happens there."""
    run = {trace.round.head.rounds.key for trace in traces if trace.round is not None}
    numbered: list[tuple[For, LoopNumber]] = []
    for number, plan in enumerate(plans):
        numbered.append((plan.loop, number))
        numbered += ((inner.loop, inner_number(number, plan.loop.body.index(inner.loop))) for inner in plan.inner)
    return tuple(loop for loop, number in numbered if iteration_of(number).key not in run)
