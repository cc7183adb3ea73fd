"""Planning a proof: which invariants of a loop hold, and how the alignment is shown to be one-to-one.

Candidates are tried by asking the solver, and those that fail are given up. No verdict rests on these answers: what is
planned is obliged in full, and decided with everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from operator import or_
from typing import Any

from alignkit.errors import Unsupported
from alignkit.language.program import Compare, For, walk
from alignkit.proving.deciding import Decider
from alignkit.proving.exploration import Exploration
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops import potentials
from alignkit.proving.loops.invariants import Invariant, ListPlan, LoopPlan
from alignkit.proving.loops.output_lengths import length_invariants
from alignkit.proving.runs.grown_lists import length_of
from alignkit.proving.runs.output_shapes import Shapes
from alignkit.proving.runs.returned_forms import ReturnForms
from alignkit.proving.runs.told_iterations import told
from alignkit.proving.stages.pairs_of_runs import pair_of_runs, pair_to_the_loop
from alignkit.proving.stages.single_runs import (
    one_iteration,
    preview,
    preview_of_end,
    to_the_head,
    whole_run,
    whole_run_by_pieces,
)
from alignkit.proving.symbolic_trial import Iteration, Preview, Record


@dataclass(frozen=True)
class ProofPlan:
    """How a proof is to go.

    ``records`` are the paths that have been explored as planned. ``pairs`` are the records of pairs of runs where the
    alignment is to be one-to-one by pieces, and None where it is so by an order. A program with a loop has a plan of
    its ``invariants``; ``tried`` are the names of all invariants that were tried.
    """

    records: Sequence[Record] = field(repr=False)
    pairs: Sequence[Record] | None = field(default=None, repr=False)
    invariants: LoopPlan | None = None
    tried: tuple[str, ...] = ()


def plan_proof(exploration: Exploration, decider: Decider) -> ProofPlan:
    """The plan of a proof for every n; the decider is asked what holds."""
    previews = [r.preview for r in exploration.records(preview) if r.preview is not None]
    if previews:
        return find_invariants(exploration, previews, decider)
    whole = exploration.records(whole_run)
    if not _ordered(whole, decider):
        with suppress(Unsupported):
            return ProofPlan(exploration.records(whole_run_by_pieces), exploration.records(pair_of_runs))
    return ProofPlan(whole)


def find_invariants(exploration: Exploration, previews: Sequence[Preview], decider: Decider) -> ProofPlan:
    """The invariants of a loop that hold at its start and are kept by every iteration, with a bound on the cost."""
    alignment, loop = exploration.alignment, previews[0].loop
    plan, heads = _usable(exploration, _candidates(exploration, previews))
    stated = tuple(inv.stated(text, e) for text, e in alignment.invariants)
    further = stated
    if alignment.ex_post:
        kinds = alignment.mechanism.kinds.at_loop[loop.site]
        further = (*length_invariants(loop, previews[0].changed, kinds), *stated)
    tried = (*plan.obliged, *(i.name for i in further))
    # What does not hold where the loop begins is given up before an iteration is run under it.
    plan = plan.without(_failing(heads, frozenset(), decider))
    plan = replace(plan, invariants=(*plan.invariants, *further))
    pairs: list[Record] | None = None
    if any(preview.vectors for preview in previews) and not _ordered(heads, decider):
        # The vectors before the loop have no order; they may still be one-to-one by pieces.
        with suppress(Unsupported):
            pieced = replace(plan, by_pieces=True)
            pairs = exploration.records(partial(pair_to_the_loop, plan=pieced))
            plan = pieced
    required = frozenset(s.name for s in stated)
    plan, records = _kept(exploration, plan, required, decider)
    # Where no iteration draws, the cost is what it was before the loop.
    if not plan.still:
        bounds = potentials.find_potentials(exploration, plan, previews[0], records, decider)
        if bounds:
            tried = (*tried, *(bound.name for bound in bounds))
            plan = replace(plan, invariants=(*plan.invariants, *bounds))
            records = [potentials.with_potentials(bounds, loop, record) for record in records]
    return ProofPlan(records, pairs, plan, tried)


def loop_to_plan(exploration: Exploration) -> tuple[For, tuple[str, ...]] | None:
    """The loop of symbolic length, with the variables that it changes; None where the program has none."""
    previews = [r.preview for r in exploration.records(preview) if r.preview is not None]
    return (previews[0].loop, previews[0].changed) if previews else None


def stated_and_kept(exploration: Exploration, decider: Decider) -> tuple[str, ...]:
    """The largest part of the stated invariants that holds where the loop begins and that every iteration keeps."""
    previews = [r.preview for r in exploration.records(preview) if r.preview is not None]
    if not previews:
        return ()
    candidates, stated = _candidates(exploration, previews), exploration.alignment.invariants
    plan, heads = _usable(
        exploration,
        replace(candidates, invariants=(*candidates.invariants, *(inv.stated(text, e) for text, e in stated))),
    )
    plan = plan.without(_failing(heads, frozenset(), decider))
    plan, _ = _kept(exploration, plan, frozenset(), decider)
    return tuple(text for text, _ in stated if text in plan.obliged)


def _candidates(exploration: Exploration, previews: Sequence[Preview]) -> LoopPlan:
    """The invariants worth trying, as far as D's iterations do not show that they fail."""
    mechanism, loop = exploration.alignment.mechanism, previews[0].loop
    kinds = mechanism.kinds.at_loop[loop.site]
    limits = tuple(name for name, kind in mechanism.public.items() if kind.integer)
    candidates = inv.loop_candidates(loop, kinds, previews[0].changed, limits)
    lists = tuple(map(length_of, previews[0].grown))
    counters = tuple(name for name in previews[0].changed if kinds[name].name == "int")
    candidates = replace(candidates, invariants=(*candidates.invariants, *inv.equal_gains(lists, counters)))
    iterations = [preview.iteration for preview in previews if preview.iteration is not None]
    going = [iteration.kept for iteration in iterations if iteration.goes_on]
    kept = frozenset.intersection(*going) if going else frozenset()
    if not mechanism.program.is_generator:
        at_end = exploration.records(partial(preview_of_end, kept=kept))
        ends = [*previews, *(record.preview for record in at_end if record.preview is not None)]
        forms = ReturnForms.of(end.returned for end in ends if end.returned is not None)
        candidates = replace(candidates, returned=forms, kept=kept)
    if not iterations:
        return replace(candidates, shapes=Shapes(()))
    named = [iteration.named for iteration in iterations if iteration.named is not None]
    names = tuple(sorted(frozenset.intersection(*named), key=str)) if named else ()
    return replace(
        candidates,
        names=names,
        steady=all(iteration.outputs == 1 for iteration in iterations),
        still=bool(names) and not any(iteration.drawn for iteration in iterations),
        shapes=reduce(or_, (iteration.shapes for iteration in iterations)),
        drawn=frozenset.intersection(*(iteration.drawn for iteration in iterations)),
        whole=all(iteration.goes_on for iteration in iterations),
        lists=_lists(exploration, iterations),
        **_positions(exploration, iterations),
    )


def _lists(exploration: Exploration, iterations: Sequence[Iteration]) -> dict[str, ListPlan]:
    """How lists that the loop makes longer may be read."""
    plans = {}
    for name in dict(iterations[0].appended):
        appended = [(iteration, dict(iteration.appended)[name]) for iteration in iterations]
        going = {items.items for iteration, items in appended if iteration.goes_on}
        most = max(items.items for _, items in appended)
        each = most if going in ({most}, set()) and most else None
        shapes = reduce(or_, (items.shapes for _, items in appended))
        plans[name] = ListPlan(each, told(items.offsets for _, items in appended), shapes)
    return plans


def _positions(exploration: Exploration, iterations: Sequence[Iteration]) -> dict[str, Any]:
    """How the output may be read: at fixed positions for each iteration, or by the iterations that it names."""
    given = {iteration.outputs for iteration in iterations if iteration.goes_on}
    most = max(iteration.outputs for iteration in iterations)
    body = exploration.alignment.program.body
    nodes = [node for statement in body for node in walk(statement)]
    if not any(isinstance(node, Compare) and node.operator in ("in", "not in") for node in nodes):
        return {"each": given.pop()} if given == {most} and most > 1 else {}
    named = told(iteration.offsets for iteration in iterations)
    return {"told": named, "each": given.pop() if len(given) == 1 and most in given and most else None}


def _usable(exploration: Exploration, plan: LoopPlan) -> tuple[LoopPlan, list[Record]]:
    """The candidates that can be written down at all at the loop's head, with all ways to it."""

    def under(*invariants: Invariant) -> tuple[LoopPlan, list[Record]]:
        smaller = replace(plan, invariants=invariants)
        return smaller, exploration.records(partial(to_the_head, plan=smaller))

    with suppress(Unsupported):
        return under(*plan.invariants)
    usable = []
    for invariant in plan.invariants:
        with suppress(Unsupported):
            under(invariant)
            usable.append(invariant)
    return under(*usable)


def _kept(
    exploration: Exploration, plan: LoopPlan, required: frozenset[str], decider: Decider
) -> tuple[LoopPlan, list[Record]]:
    """The largest part of the plan that holds at the start and is kept by every iteration, with all iterations."""
    while True:
        records = exploration.records(partial(one_iteration, plan=plan))
        given_up = _failing(records, required, decider)
        if not given_up:
            return plan, records
        plan = plan.without(given_up)


def _failing(records: Iterable[Record], required: frozenset[str], decider: Decider) -> frozenset[str]:
    """The invariants that were obliged and do not hold, of those that are not required."""
    failing: set[str] = set()
    for obligation in (o for record in records for o in record.obligations):
        name = obligation.invariant
        if name is None or name in failing or name in required:
            continue
        if not decider.decide(obligation).holds:
            failing.add(name)
    return frozenset(failing)


def _ordered(records: Iterable[Record], decider: Decider) -> bool:
    """Whether the noise has an order in which each shift depends on what comes earlier."""
    obligations = (o for record in records for o in record.obligations)
    return all(decider.decide(o).holds for o in obligations if o.condition == "one_to_one")
