"""What is run of a program under a plan: all paths from which the obligations of its proof come.

A plan says how the loops of a program are to be proved. Whoever makes one runs stages too; the paths that count are
those that are run here, and a stage is not run twice in a row under the same plans. What a plan says of the program as
a whole is held against runs of D alone.

Bounds on the cost so far by what counters have gained, which every iteration keeps.

A bound does not decide which paths there are, so that no path is run again: on each of them the bound at the loop's
head becomes known, and the bound after the iteration is obliged.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.values import is_number
from alignkit.language.program import For, walk
from alignkit.language.tags import Tag
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.conditions.noise_used import way_of_drawing
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.loops.head import OTHER_LOOP
from alignkit.proving.loops.invariants import CostBound, LoopPlan
from alignkit.proving.loops.nested import is_nested
from alignkit.proving.obligation import Obligation, exponentials
from alignkit.proving.runs.path_trace import of_iteration
from alignkit.proving.stages.pairs_of_runs import pair_of_runs, pair_to_the_loop
from alignkit.proving.stages.single_runs import (
    after_the_loop,
    one_inner_iteration,
    one_iteration,
    preview,
    preview_inner,
    whole_run,
    whole_run_by_pieces,
)
from alignkit.proving.symbolic_trial import Exploration, Preview, Record, Stage
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.draws import called_mechanisms
from alignkit.symbolic.terms import Term, atoms_within


def with_potentials(bounds: tuple[CostBound, ...], loop: For, record: Record, *, charging: bool = False) -> Record:
    """A path through an iteration, with the bounds known at the loop's head and obliged where the loop goes on.

    With ``charging`` costs are probabilities, of whose exponentials more is known.

    Obligations that say nothing of the cost so far stay as they are; so do those from before the head.
    """
    trace = record.trace
    if trace is None or trace.round is None:
        return record
    start, head, after = trace.round.start, trace.round.head, trace.round.after
    at_head = tuple(formula for formula in (bound.holds(head, start) for bound in bounds) if formula is not True)
    so_far = {atom.key for atom in head.cost.atoms()}

    def with_bounds(hypotheses: Hypotheses, *about: Any) -> Hypotheses:
        mentioned = {atom.key for formula in about if not isinstance(formula, bool) for atom in atoms_within(formula)}
        return hypotheses.also(at_head).with_sums(*about) if so_far & mentioned else hypotheses

    obligations = [replace(o, hypotheses=with_bounds(o.hypotheses, o.goal)) for o in record.obligations]
    if after is not None:
        for bound in bounds:
            goal, words = bound.holds(after, start), f"{bound.name}: is kept by every iteration"
            hypotheses = with_bounds(trace.hypotheses, goal).also(exponentials(goal) if charging else ())
            obligations.append(Obligation("cost", hypotheses, goal, words, loop.place, bound.name))
    ends = [replace(b, hypotheses=with_bounds(b.hypotheses, b.total)) for b in record.bounds]
    return replace(record, obligations=obligations, bounds=ends)


# What D's iterations of one loop show of it, on each path.
Previews = Sequence[Preview]

OTHER_PLAN = "a loop that is planned as if it stood in another program"

# What is planned of a loop only where the program has no other and calls no mechanism.
_OF_ONE_STREAM = ("each", "told", "lists", "returned", "kept", "marks", "ranges")


@dataclass(frozen=True)
class PlannedLoop:
    """How a loop is to be proved; ``tried`` are the names of all invariants that were tried."""

    plan: LoopPlan
    tried: tuple[str, ...]


@dataclass(frozen=True)
class ProofPlan:
    """How a proof is to go.

    ``loops`` are the loops of symbolic length, in the order of the program, each with its invariants. A program
    without such a loop may be one-to-one by pieces as a ``whole``.
    """

    loops: tuple[PlannedLoop, ...] = ()
    whole_by_pieces: bool = False

    @property
    def plans(self) -> tuple[LoopPlan, ...]:
        """The plans of the loops, in order."""
        return tuple(loop.plan for loop in self.loops)

    @property
    def by_pieces(self) -> bool:
        """Whether the alignment is to be one-to-one by pieces, and not by an order of the noise."""
        return self.whole_by_pieces or any(plan.by_pieces for plan in self.plans)

    @property
    def theorem(self) -> Theorem | None:
        """By which theorem the claim holds for all analysts, where the one loop is taken step by step."""
        return self.loops[0].plan.theorem if len(self.loops) == 1 else None


def records_as_planned(exploration: Exploration, planned: ProofPlan) -> tuple[Record, ...]:
    """All paths of a proof that goes as planned; Unsupported where the plan is not one of this program."""
    plans = planned.plans
    _check(exploration, plans, whole=planned.whole_by_pieces)
    if not plans:
        if planned.whole_by_pieces:
            return (*whole_runs(exploration, by_pieces=True), *whole_pairs(exploration))
        return tuple(whole_runs(exploration))
    records: list[Record] = []
    bounded = partial(with_potentials, charging=exploration.charging)
    for number, plan in enumerate(plans):
        core, bounds = plan.apart()
        own = iterations(exploration, (*plans[:number], core))
        records += [bounded(bounds, plan.loop, record) for record in own] if bounds else own
        for position, inner in enumerate(core.inner):
            outer = replace(core, inner=core.inner[:position])
            inner_core, bounds = inner.apart()
            own = inner_iterations(exploration, (*plans[:number], outer), inner_core)
            records += [bounded(bounds, inner.loop, record) for record in own] if bounds else own
    for number in range(len(plans)):
        # That the bounds on the cost hold where a loop begins is obliged here, with the rest of its plan.
        records += exploration.records(partial(after_the_loop, plans=plans[: number + 1]))
    if plans[0].by_pieces:
        records += pairs_to_the_loop(exploration, plans[0].apart()[0])
    return tuple(records)


def told_by_draws(records: Iterable[Record], *, allowed: bool) -> list[Obligation]:
    """What must hold where an order of the noise was found without conditions on noise that the path decides.

    Every path with the same label must decide these conditions alike: then, for one output and one list of labels, they
    do not depend on the noise (docs/theory/loops.md, "What the draws tell"). Where the alignment itself branches, each
    branch has a path with this label. The output must not put other noise, or other variables, into a condition on one
    path than on another.
    """
    records = tuple(records)
    traces = {record.trace.key: record.trace for record in records if record.trace is not None}
    obligations = []
    for record in records:
        if not record.told_by_draws:
            continue
        own = None if record.trace is None else way_of_drawing(record.trace)
        alike = [trace for trace in traces.values() if way_of_drawing(trace) == own]
        if own is None or not allowed or not all(_is_plain_output(trace.outputs) for trace in alike):
            words = "which shift is taken depends on the noise that it moves, or on later noise"
            obligations.append(Obligation("one_to_one", Hypotheses.of(()), False, words, problem=True))
            continue
        obligations += [
            Obligation("one_to_one", trace.hypotheses, condition, DECIDED_ALIKE, trace.place)
            for trace in alike
            for condition in record.told_by_draws
        ]
    return obligations


# What is obliged of conditions on noise that the labels of paths tell.
DECIDED_ALIKE = "where the same noise is drawn, this condition of the alignment on the noise goes the same way"


def _is_plain_output(output: Any) -> bool:
    """Whether all that is discrete in an output are tags, and functions of the iteration and of public values."""
    if isinstance(output, tuple):
        return all(map(_is_plain_output, output))
    if is_number(output):
        return not Term.of(output).integer or of_iteration(Term.of(output))
    return output is None or isinstance(output, Tag | bool)


def _check(exploration: Exploration, plans: Sequence[LoopPlan], *, whole: bool) -> None:
    """Raise Unsupported where plans are not those of the program's loops, or take one for the only loop that is not."""
    loops = previews(exploration)
    if len(plans) != len(loops) or (plans and whole):
        raise Unsupported(OTHER_PLAN, exploration.alignment.mechanism.program.place)
    if loops:
        refuse_calls(exploration, loops)
    for number, (plan, of_loop) in enumerate(zip(plans, loops, strict=True)):
        inner = inner_previews(exploration, number, of_loop)
        fits = _is_of(plan, of_loop) and len(plan.inner) == len(inner) and not (number and plan.by_pieces)
        for inside, of_inner in zip(plan.inner, inner, strict=False):
            fits = fits and _is_of(inside, of_inner) and _is_plain(inside) and not inside.inner
        if plan.alone:
            fits = fits and is_alone(loops, inner)
        if not plan.alone or called_mechanisms(exploration.alignment.mechanism.program):
            plain = replace(plan, by_pieces=False, alone=False, theorem=None if plan.alone else plan.theorem)
            fits = fits and _is_plain(plain)
        if not fits:
            raise Unsupported(OTHER_PLAN, plan.loop.place)


def _is_of(plan: LoopPlan, of_loop: Previews) -> bool:
    return plan.loop is of_loop[0].loop


def _is_plain(plan: LoopPlan) -> bool:
    """Whether a plan says nothing that may be said of the only loop alone."""
    usual = LoopPlan(plan.loop, frozenset(), ())
    own = all(getattr(plan, name) == getattr(usual, name) for name in _OF_ONE_STREAM)
    return own and not plan.alone and not plan.by_pieces and plan.theorem is None


def is_alone(loops: Sequence[Previews], inner: Sequence[Previews]) -> bool:
    """Whether a loop, with these inside, is the only one of symbolic length on every path."""
    return len(loops) == 1 and len({preview.loop.site for preview in loops[0]}) == 1 and not inner


# Stages under plans


def whole_runs(exploration: Exploration, *, by_pieces: bool = False) -> list[Record]:
    """Whole runs, of a program without a loop of symbolic length."""
    stage = whole_run_by_pieces if by_pieces else whole_run
    return _once(exploration, stage, (), stage)


def whole_pairs(exploration: Exploration) -> list[Record]:
    """Pairs of whole runs."""
    return _once(exploration, pair_of_runs, (), pair_of_runs)


def iterations(exploration: Exploration, plans: tuple[LoopPlan, ...]) -> list[Record]:
    """One arbitrary iteration of the last loop that is planned."""
    return _once(exploration, (one_iteration, len(plans)), plans, partial(one_iteration, plans=plans))


def inner_iterations(exploration: Exploration, plans: tuple[LoopPlan, ...], plan: LoopPlan) -> list[Record]:
    """One arbitrary iteration of a loop inside the last of the ``plans``."""
    place = one_inner_iteration, len(plans), len(plans[-1].inner)
    return _once(exploration, place, (*plans, plan), partial(one_inner_iteration, plans=plans, plan=plan))


def pairs_to_the_loop(exploration: Exploration, plan: LoopPlan) -> list[Record]:
    """Pairs of runs up to the first loop."""
    return _once(exploration, pair_to_the_loop, (plan,), partial(pair_to_the_loop, plan=plan))


def _once(exploration: Exploration, place: Hashable, plans: tuple[LoopPlan, ...], stage: Stage) -> list[Record]:
    """The records of a stage, run unless it was last run under plans that say the same."""
    under, records = exploration.last_run.get(place, (None, []))
    if under is None or not _are_same(under, plans):
        records = exploration.records(stage)
        exploration.last_run[place] = plans, records
    return records


def _are_same(plans: Sequence[LoopPlan], others: Sequence[LoopPlan]) -> bool:
    return len(plans) == len(others) and all(map(_is_same, plans, others))


def _is_same(plan: LoopPlan, other: LoopPlan) -> bool:
    """Whether two plans say the same, by the very same invariants."""
    invariants = [*map(id, plan.invariants)] == [*map(id, other.invariants)]
    names = [field.name for field in fields(LoopPlan) if field.name not in ("loop", "invariants", "inner")]
    return (
        plan.loop is other.loop
        and invariants
        and all(getattr(plan, name) == getattr(other, name) for name in names)
        and _are_same(plan.inner, other.inner)
    )


# Runs of D alone


def previews(exploration: Exploration) -> list[Previews]:
    """What D shows of each loop of symbolic length, in order."""
    loops: list[Previews] = []
    while True:
        stage = partial(preview, number=len(loops))
        records = _once(exploration, (preview, len(loops)), (), stage)
        of_loop = [r.preview for r in records if r.preview is not None]
        if not of_loop:
            return loops
        _refuse_two_meanings(exploration.alignment, of_loop)
        loops.append(of_loop)


def inner_previews(exploration: Exploration, number: int, outer: Previews) -> list[Previews]:
    """What D shows of each loop inside a loop, in order."""
    loops: list[Previews] = []
    while any(is_nested(preview.loop) for preview in outer):
        stage = partial(preview_inner, number=number, inner=len(loops))
        records = _once(exploration, (preview_inner, number, len(loops)), (), stage)
        of_loop = [r.preview for r in records if r.preview is not None]
        if not of_loop:
            return loops
        loops.append(of_loop)
    return loops


def _refuse_two_meanings(alignment: AlignmentProgram, previews: Previews) -> None:
    """Refuse programs of which some paths come to one loop and others to another, with a variable that both change.

    Its value at the head has one name in both, and must be known to be whole in both or in neither.
    """
    loops = list({preview.loop.site: preview.loop for preview in previews}.values())
    kinds = [_kinds_within(alignment, loop) for loop in loops]
    for one, other in combinations(kinds, 2):
        if any(one[name] != other[name] for name in one.keys() & other.keys()):
            raise Unsupported(OTHER_LOOP, loops[1].place)


def _kinds_within(alignment: AlignmentProgram, loop: For) -> dict[str, set[str]]:
    """The kinds of each name at the heads of a loop and of the loops inside."""
    kinds: dict[str, set[str]] = {}
    for node in walk(loop):
        if isinstance(node, For):
            for name, kind in alignment.mechanism.kinds.at_loop[node.site].items():
                kinds.setdefault(name, set()).add(kind.name)
    return kinds


def refuse_calls(exploration: Exploration, loops: Sequence[Previews]) -> None:
    """Refuse calls by lemmas beside several loops: what they cost is counted for one loop only."""
    if len(loops) == 1 and not any(is_nested(preview.loop) for preview in loops[0]):
        return
    for node in called_mechanisms(exploration.alignment.mechanism.program):
        if exploration.lemmas is not None and exploration.lemmas.of(node) is not None:
            raise Unsupported("a call by its lemma, in a program with several loops of symbolic length", node.place)
