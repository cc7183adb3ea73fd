"""Planning a proof: which invariants of a loop hold, and how the alignment is shown to be one-to-one.

Candidates are tried by asking the solver, and those that fail are given up. No verdict rests on these answers: what is
planned is obliged in full, and decided with everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_

from alignkit.errors import Unsupported
from alignkit.language.program import Expression, For, Name, Return, walk
from alignkit.proving.bounds_to_try import find_potentials
from alignkit.proving.deciding import Decider
from alignkit.proving.loops.invariants import Invariant, LoopPlan
from alignkit.proving.planned_runs import (
    PlannedLoop,
    Previews,
    ProofPlan,
    inner_iterations,
    inner_previews,
    is_alone,
    iterations,
    pairs_to_the_loop,
    previews,
    refuse_calls,
    told_by_draws,
    whole_pairs,
    whole_runs,
)
from alignkit.proving.plans_to_try import plan_to_try
from alignkit.proving.proposals.invariants_to_try import AsFarApart, length_invariants, stated_invariant
from alignkit.proving.runs.output_shapes import Shapes
from alignkit.proving.stages.single_runs import preview_of_rest, to_the_head, to_the_inner_head
from alignkit.proving.symbolic_trial import Exploration, Record, Stage
from alignkit.running.alignment_program import PRIVACY_COST


@dataclass(frozen=True)
class _Stages:
    """The stages of one loop, by its plan; ``with_inner`` plans the loops inside.

    ``inside`` is whether the loop itself is inside another.
    """

    to_the_head: Callable[[LoopPlan], Stage]
    iterations: Callable[[LoopPlan], list[Record]]
    with_inner: Callable[[LoopPlan], LoopPlan] = lambda plan: plan
    inside: bool = False


def plan_proof(exploration: Exploration, decider: Decider) -> ProofPlan:
    """The plan of a proof for every n; the decider is asked what holds."""
    loops = previews(exploration)
    if loops:
        return _plan_loops(exploration, loops, decider)
    if not _ordered(whole_runs(exploration), decider):
        with suppress(Unsupported):
            whole_runs(exploration, by_pieces=True)
            whole_pairs(exploration)
            return ProofPlan(whole_by_pieces=True)
    return ProofPlan()


def _plan_loops(exploration: Exploration, loops: Sequence[Previews], decider: Decider) -> ProofPlan:
    """The plans of all loops, each on top of those of the loops before it."""
    planned: tuple[PlannedLoop, ...] = ()
    stated = _stated(exploration, loops)
    refuse_calls(exploration, loops)
    for number, of_loop in enumerate(loops):
        inner = inner_previews(exploration, number, of_loop)
        stages = _stages(exploration, tuple(loop.plan for loop in planned), inner, decider)
        plan = plan_to_try(exploration, of_loop, alone=is_alone(loops, inner))
        plan = _with_outputs_after(exploration, plan, number, loops[number + 1 :])
        if len(loops) > 1:
            plan = replace(plan, shapes=_shapes(loops), shapes_of_rest=True)
        found = _find_invariants(exploration, stages, plan, of_loop, stated[number], decider, first=number == 0)
        planned = (*planned, found)
    return ProofPlan(planned)


def _with_outputs_after(
    exploration: Exploration, plan: LoopPlan, number: int, later: Sequence[Previews]
) -> LoopPlan:
    """The plan with how many outputs follow the loop, and with their shapes, where the alignment reads the output.

    Beside other loops only whether there are any is looked for.
    """
    if "omega" not in exploration.alignment.program.parameters:
        return plan
    if any(p.iteration is None or p.iteration.outputs for previews in later for p in previews):
        return plan
    rest = exploration.records(partial(preview_of_rest, number=number))
    given = {record.preview.outputs_after for record in rest if record.preview is not None}
    count = {len(shapes) for shapes in given} or {0}
    returns = any(isinstance(node, Return) for node in walk(*plan.loop.body))  # a way out without what follows
    if later or number or returns or len(count) > 1:
        return replace(plan, after=0 if count == {0} else None)
    shapes = plan.shapes | Shapes.of(shape for shapes in given for shape in shapes)
    return replace(plan, after=count.pop(), shapes=shapes, shapes_of_rest=True)


def _stages(
    exploration: Exploration, earlier: tuple[LoopPlan, ...], inner: Sequence[Previews], decider: Decider
) -> _Stages:
    """The stages of a loop that follows those with the ``earlier`` plans, with loops inside."""

    def with_inner(plan: LoopPlan) -> LoopPlan:
        outer = replace(plan, inner=())
        for of_inner in inner:
            stages = _inner_stages(exploration, (*earlier, outer))
            found = _find_invariants(exploration, stages, plan_to_try(exploration, of_inner), of_inner, (), decider)
            outer = replace(outer, inner=(*outer.inner, found.plan))
        return outer

    return _Stages(
        lambda own: partial(to_the_head, plans=(*earlier, own)),
        lambda own: iterations(exploration, (*earlier, own)),
        with_inner,
    )


def _inner_stages(exploration: Exploration, plans: tuple[LoopPlan, ...]) -> _Stages:
    """The stages of a loop inside the last loop that is planned."""
    return _Stages(
        lambda own: partial(to_the_inner_head, plans=plans, plan=own),
        lambda own: inner_iterations(exploration, plans, own),
        inside=True,
    )


def _shapes(loops: Iterable[Previews]) -> Shapes:
    """The shapes of all outputs that are seen as far as an iteration of the last loop."""
    iterations = (preview.iteration for previews in loops for preview in previews)
    return reduce(or_, (iteration.shapes for iteration in iterations if iteration is not None), Shapes(()))


def _find_invariants(
    exploration: Exploration,
    stages: _Stages,
    candidates: LoopPlan,
    previews: Previews,
    stated: tuple[Invariant, ...],
    decider: Decider,
    *,
    first: bool = False,
) -> PlannedLoop:
    """The invariants of a loop that hold at its start and are kept by every iteration, with a bound on the cost.

    ``stated`` are the invariants that the user states of this loop; ``first`` is whether it is the program's first.
    """
    alignment, loop = exploration.alignment, previews[0].loop
    plan, heads = _usable(exploration, stages, candidates)
    further = stated
    if alignment.ex_post:
        kinds = alignment.mechanism.kinds.at_loop[loop.site]
        further = (*length_invariants(loop, previews[0].changed, kinds), *stated)
    # What does not hold where the loop begins is given up before an iteration is run under it.
    begun = plan.without(_failing(heads, frozenset(), decider))
    # What is equal there and stays as far apart stays equal, which is tried already.
    same = {i.name for i in begun.invariants if isinstance(i, AsFarApart) and i.variable in begun.equal}
    # Of the numbers that the alignment's variables might be, only those are told that they are at first.
    others = {i.name for i in plan.alike_in_alignment} - {i.name for i in begun.alike_in_alignment}
    tried = (*plan.without(frozenset(same | others)).obliged, *(i.name for i in further))
    plan = begun.without(frozenset(same))
    plan = replace(plan, invariants=(*plan.invariants, *further))
    if first and any(preview.vectors for preview in previews) and not _ordered(heads, decider):
        # The vectors before the loop have no order; they may still be one-to-one by pieces.
        with suppress(Unsupported):
            pieced = replace(plan, by_pieces=True)
            pairs_to_the_loop(exploration, pieced)
            plan = pieced
    required = frozenset(s.name for s in stated)
    plan, records = _kept(stages, plan, required, decider)
    # What always holds need not be said of outputs to come.
    apart = [i for i in plan.invariants if isinstance(i, AsFarApart)]
    always = {i.variable for i in apart if not i.to_come}
    implied = frozenset(i.name for i in apart if i.to_come and i.variable in always)
    plan, tried = plan.without(implied), tuple(name for name in tried if name not in implied)
    # Where no iteration draws, the cost is what it was before the loop.
    if not plan.still:
        bounds = find_potentials(exploration, plan, previews[0], records, decider, inside=stages.inside)
        if bounds:
            tried = (*tried, *(bound.name for bound in bounds))
            plan = replace(plan, invariants=(*plan.invariants, *bounds))
    return PlannedLoop(plan, tried)


def _stated(exploration: Exploration, loops: Sequence[Previews]) -> list[tuple[Invariant, ...]]:
    """What the user states of each loop: the invariants that speak of what it changes; the first has the others too."""
    invariants = [(stated_invariant(text, e), e) for text, e in exploration.alignment.invariants]
    of_later = [[i for i, e in invariants if _speaks_of(e, previews)] for previews in loops[1:]]
    taken = {i.name for of_loop in of_later for i in of_loop}
    of_first = [i for i, e in invariants if i.name not in taken or _speaks_of(e, loops[0])]
    return [tuple(of_loop) for of_loop in (of_first, *of_later)]


def _speaks_of(invariant: Expression, previews: Previews) -> bool:
    """Whether a stated invariant speaks of something that a loop changes."""
    changed = {name for preview in previews for name in preview.changed} | {PRIVACY_COST}
    named = {node.name for node in walk(invariant) if isinstance(node, Name)}
    return bool(named & (changed | {f"{name}_" for name in changed}))


def loop_to_plan(exploration: Exploration) -> tuple[For, tuple[str, ...]] | None:
    """The loop of symbolic length, with the variables that it changes; None where the program has none, or several."""
    loops = previews(exploration)
    return (loops[0][0].loop, loops[0][0].changed) if len(loops) == 1 else None


def stated_and_kept(exploration: Exploration, decider: Decider) -> tuple[str, ...]:
    """The largest part of the stated invariants that holds where the loop begins and that every iteration keeps."""
    loops = previews(exploration)
    if len(loops) != 1:
        return ()
    inner = inner_previews(exploration, 0, loops[0])
    candidates = plan_to_try(exploration, loops[0], alone=not inner)
    candidates = _with_outputs_after(exploration, candidates, 0, ())
    stated = exploration.alignment.invariants
    stages = _stages(exploration, (), inner, decider)
    plan, heads = _usable(
        exploration,
        stages,
        replace(candidates, invariants=(*candidates.invariants, *(stated_invariant(text, e) for text, e in stated))),
    )
    plan = plan.without(_failing(heads, frozenset(), decider))
    plan, _ = _kept(stages, plan, frozenset(), decider)
    return tuple(text for text, _ in stated if text in plan.obliged)


def _usable(
    exploration: Exploration, stages: _Stages, plan: LoopPlan
) -> tuple[LoopPlan, list[Record]]:
    """The candidates that can be written down at all at the loop's head, with all ways to it."""

    def under(*invariants: Invariant) -> tuple[LoopPlan, list[Record]]:
        smaller = replace(plan, invariants=invariants)
        return smaller, exploration.records(stages.to_the_head(smaller))

    with suppress(Unsupported):
        return under(*plan.invariants)
    usable = []
    for invariant in plan.invariants:
        with suppress(Unsupported):
            under(invariant)
            usable.append(invariant)
    return under(*usable)


def _kept(
    stages: _Stages, plan: LoopPlan, required: frozenset[str], decider: Decider
) -> tuple[LoopPlan, list[Record]]:
    """The largest part of the plan that holds at the start and is kept by every iteration, with all iterations.

    The loops inside are planned anew under each part.
    """
    while True:
        plan = stages.with_inner(plan)
        records = stages.iterations(plan)
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
    records = tuple(records)
    obligations = (*(o for record in records for o in record.obligations), *told_by_draws(records, allowed=True))
    return all(decider.decide(o).holds for o in obligations if o.condition == "one_to_one")
