"""Planning a proof: which invariants of a loop hold, and how the alignment is shown to be one-to-one.

Candidates are tried by asking the solver, and those that fail are given up. No verdict rests on these answers: what is
planned is obliged in full, and decided with everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import combinations
from operator import or_

from alignkit.errors import Unsupported
from alignkit.language.program import Expression, For, Name, walk
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.deciding import Decider
from alignkit.proving.exploration import Exploration, Stage
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops import potentials
from alignkit.proving.loops.head import OTHER_LOOP
from alignkit.proving.loops.invariants import Invariant, LoopPlan
from alignkit.proving.loops.nested import is_nested
from alignkit.proving.loops.output_lengths import length_invariants
from alignkit.proving.plans_to_try import plan_to_try
from alignkit.proving.runs.output_shapes import Shapes
from alignkit.proving.stages.inner_loops import one_inner_iteration, preview_inner, to_the_inner_head
from alignkit.proving.stages.pairs_of_runs import pair_of_runs, pair_to_the_loop
from alignkit.proving.stages.single_runs import (
    one_iteration,
    preview,
    preview_of_rest,
    to_the_head,
    whole_run,
    whole_run_by_pieces,
)
from alignkit.proving.symbolic_trial import Preview, Record
from alignkit.running.alignment_program import PRIVACY_COST, AlignmentProgram
from alignkit.running.draws import called_mechanisms

# What D's iterations of one loop show of it, on each path.
Previews = Sequence[Preview]


@dataclass(frozen=True)
class PlannedLoop:
    """How a loop is to be proved; ``tried`` are the names of all invariants that were tried."""

    plan: LoopPlan
    tried: tuple[str, ...]


@dataclass(frozen=True)
class _Stages:
    """The stages of one loop, by its plan; ``with_inner`` plans the loops inside, and gives the paths through them.

    ``inside`` is whether the loop itself is inside another.
    """

    to_the_head: Callable[[LoopPlan], Stage]
    one_iteration: Callable[[LoopPlan], Stage]
    with_inner: Callable[[LoopPlan], tuple[LoopPlan, list[Record]]] = lambda plan: (plan, [])
    inside: bool = False


@dataclass(frozen=True)
class ProofPlan:
    """How a proof is to go.

    ``records`` are the paths that have been explored as planned. ``pairs`` are the records of pairs of runs where the
    alignment is to be one-to-one by pieces, and None where it is so by an order. ``loops`` are the loops of symbolic
    length, in the order of the program, each with its invariants.
    """

    records: Sequence[Record] = field(repr=False)
    pairs: Sequence[Record] | None = field(default=None, repr=False)
    loops: tuple[PlannedLoop, ...] = ()

    @property
    def plans(self) -> tuple[LoopPlan, ...]:
        """The plans of the loops, in order."""
        return tuple(loop.plan for loop in self.loops)

    @property
    def theorem(self) -> Theorem | None:
        """By which theorem the claim holds for all analysts, where the one loop is taken step by step."""
        return self.loops[0].plan.theorem if len(self.loops) == 1 else None


def plan_proof(exploration: Exploration, decider: Decider) -> ProofPlan:
    """The plan of a proof for every n; the decider is asked what holds."""
    loops = _previews(exploration)
    if loops:
        return _plan_loops(exploration, loops, decider)
    whole = exploration.records(whole_run)
    if not _ordered(whole, decider):
        with suppress(Unsupported):
            return ProofPlan(exploration.records(whole_run_by_pieces), exploration.records(pair_of_runs))
    return ProofPlan(whole)


def _previews(exploration: Exploration) -> list[Previews]:
    """What D shows of each loop of symbolic length, in order."""
    loops: list[Previews] = []
    while True:
        stage = partial(preview, number=len(loops))
        of_loop = [r.preview for r in exploration.records(stage) if r.preview is not None]
        if not of_loop:
            return loops
        _refuse_two_meanings(exploration.alignment, of_loop)
        loops.append(of_loop)


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


def _plan_loops(exploration: Exploration, loops: Sequence[Previews], decider: Decider) -> ProofPlan:
    """The plans of all loops, each on top of those of the loops before it."""
    whole, stated = ProofPlan(()), _stated(exploration, loops)
    _refuse_calls(exploration, loops)
    for number, previews in enumerate(loops):
        inner = _inner_previews(exploration, number, previews)
        stages = _stages(exploration, whole.plans, inner, decider)
        one_loop = len(loops) == 1 and len({preview.loop.site for preview in previews}) == 1
        plan = plan_to_try(exploration, previews, alone=one_loop and not inner)
        plan = replace(plan, last=_is_last(exploration, number, loops[number + 1 :]))
        if len(loops) > 1:
            plan = replace(plan, shapes=_shapes(loops), shapes_of_rest=True)
        of_loop = _find_invariants(exploration, stages, plan, previews, stated[number], decider, first=number == 0)
        pairs = whole.pairs if number else of_loop.pairs
        whole = ProofPlan((*whole.records, *of_loop.records), pairs, (*whole.loops, *of_loop.loops))
    return whole


def _is_last(exploration: Exploration, number: int, later: Iterable[Previews]) -> bool:
    """Whether no run puts anything out after a loop; asked only where the alignment reads the output."""
    if "omega" not in exploration.alignment.program.parameters:
        return False
    if any(p.iteration is None or p.iteration.outputs for previews in later for p in previews):
        return False
    rest = exploration.records(partial(preview_of_rest, number=number))
    return not any(record.preview is not None and record.preview.outputs_after for record in rest)


def _refuse_calls(exploration: Exploration, loops: Sequence[Previews]) -> None:
    """Refuse calls by lemmas beside several loops: what they cost is counted for one loop only."""
    if len(loops) == 1 and not any(is_nested(preview.loop) for preview in loops[0]):
        return
    for node in called_mechanisms(exploration.alignment.mechanism.program):
        if exploration.lemmas is not None and exploration.lemmas.of(node) is not None:
            raise Unsupported("a call by its lemma, in a program with several loops of symbolic length", node.place)


def _inner_previews(exploration: Exploration, number: int, outer: Previews) -> list[Previews]:
    """What D shows of each loop inside a loop, in order."""
    loops: list[Previews] = []
    while any(is_nested(preview.loop) for preview in outer):
        stage = partial(preview_inner, number=number, inner=len(loops))
        of_loop = [r.preview for r in exploration.records(stage) if r.preview is not None]
        if not of_loop:
            return loops
        loops.append(of_loop)
    return loops


def _stages(
    exploration: Exploration, earlier: tuple[LoopPlan, ...], inner: Sequence[Previews], decider: Decider
) -> _Stages:
    """The stages of a loop that follows those with the ``earlier`` plans, with loops inside."""

    def with_inner(plan: LoopPlan) -> tuple[LoopPlan, list[Record]]:
        records: list[Record] = []
        outer = replace(plan, inner=())
        for previews in inner:
            stages = _inner_stages((*earlier, outer))
            found = _find_invariants(exploration, stages, plan_to_try(exploration, previews), previews, (), decider)
            records += found.records
            outer = replace(outer, inner=(*outer.inner, *found.plans))
        return outer, records

    return _Stages(
        lambda own: partial(to_the_head, plans=(*earlier, own)),
        lambda own: partial(one_iteration, plans=(*earlier, own)),
        with_inner,
    )


def _inner_stages(plans: tuple[LoopPlan, ...]) -> _Stages:
    """The stages of a loop inside the last loop that is planned."""
    return _Stages(
        lambda own: partial(to_the_inner_head, plans=plans, plan=own),
        lambda own: partial(one_inner_iteration, plans=plans, plan=own),
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
) -> ProofPlan:
    """The invariants of a loop that hold at its start and are kept by every iteration, with a bound on the cost.

    ``stated`` are the invariants that the user states of this loop; ``first`` is whether it is the program's first.
    """
    alignment, loop = exploration.alignment, previews[0].loop
    plan, heads = _usable(exploration, stages, candidates)
    further = stated
    if alignment.ex_post:
        kinds = alignment.mechanism.kinds.at_loop[loop.site]
        further = (*length_invariants(loop, previews[0].changed, kinds), *stated)
    tried = (*plan.obliged, *(i.name for i in further))
    # What does not hold where the loop begins is given up before an iteration is run under it.
    plan = plan.without(_failing(heads, frozenset(), decider))
    plan = replace(plan, invariants=(*plan.invariants, *further))
    pairs: list[Record] | None = None
    if first and any(preview.vectors for preview in previews) and not _ordered(heads, decider):
        # The vectors before the loop have no order; they may still be one-to-one by pieces.
        with suppress(Unsupported):
            pieced = replace(plan, by_pieces=True)
            pairs = exploration.records(partial(pair_to_the_loop, plan=pieced))
            plan = pieced
    required = frozenset(s.name for s in stated)
    plan, records, of_inner = _kept(exploration, stages, plan, required, decider)
    # Where no iteration draws, the cost is what it was before the loop.
    if not plan.still:
        bounds = potentials.find_potentials(
            exploration, plan, previews[0], records, decider, inside=stages.inside
        )
        if bounds:
            tried = (*tried, *(bound.name for bound in bounds))
            plan = replace(plan, invariants=(*plan.invariants, *bounds))
            records = [potentials.with_potentials(bounds, loop, record) for record in records]
    return ProofPlan((*records, *of_inner), pairs, (PlannedLoop(plan, tried),))


def _stated(exploration: Exploration, loops: Sequence[Previews]) -> list[tuple[Invariant, ...]]:
    """What the user states of each loop: the invariants that speak of what it changes; the first has the others too."""
    invariants = [(inv.stated(text, e), e) for text, e in exploration.alignment.invariants]
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
    loops = _previews(exploration)
    return (loops[0][0].loop, loops[0][0].changed) if len(loops) == 1 else None


def stated_and_kept(exploration: Exploration, decider: Decider) -> tuple[str, ...]:
    """The largest part of the stated invariants that holds where the loop begins and that every iteration keeps."""
    loops = _previews(exploration)
    if len(loops) != 1:
        return ()
    inner = _inner_previews(exploration, 0, loops[0])
    candidates = plan_to_try(exploration, loops[0], alone=not inner)
    candidates = replace(candidates, last=_is_last(exploration, 0, ()))
    stated = exploration.alignment.invariants
    stages = _stages(exploration, (), inner, decider)
    plan, heads = _usable(
        exploration,
        stages,
        replace(candidates, invariants=(*candidates.invariants, *(inv.stated(text, e) for text, e in stated))),
    )
    plan = plan.without(_failing(heads, frozenset(), decider))
    plan, _, _ = _kept(exploration, stages, plan, frozenset(), decider)
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
    exploration: Exploration,
    stages: _Stages,
    plan: LoopPlan,
    required: frozenset[str],
    decider: Decider,
) -> tuple[LoopPlan, list[Record], list[Record]]:
    """The largest part of the plan that holds at the start and is kept by every iteration, with all iterations.

    The last are the paths through the loops inside, which are planned anew under each part.
    """
    while True:
        plan, of_inner = stages.with_inner(plan)
        records = exploration.records(stages.one_iteration(plan))
        given_up = _failing(records, required, decider)
        if not given_up:
            return plan, records, of_inner
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
