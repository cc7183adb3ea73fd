"""The stages of a proof: each is a function that runs one path of a trial, and reads from top to bottom.

A program without a loop of symbolic length is run as a whole. For one with such a loop there is a preview of it, then
the way to its head, one arbitrary iteration, and what follows the loop: by induction these cover every run. Where the
noise has no order, runs are taken by pieces, and pairs of runs are compared.

A path of a program with a loop may end before it gets there; every stage then runs it as a whole.

The stages of a loop inside the body of another: its head and one arbitrary iteration of it.

Both stand in an arbitrary iteration of the outer loop. What leads there, and what follows the inner loop, the stages of
the outer loop oblige.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from alignkit.errors import Parted, Unsupported
from alignkit.interpreting.values import Family, Returned, Signal
from alignkit.proving.conditions import noise_used
from alignkit.proving.conditions.one_to_one import by_pieces
from alignkit.proving.conditions.one_to_one.by_order import acyclic_order, two_ranks
from alignkit.proving.conditions.shifts import cost_of_draws, cost_of_vectors
from alignkit.proving.conditions.vector_costs import indices_named, selection_named
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.facts.ranked_values import Ranking
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops.head import (
    LoopHead,
    changed_variables,
    forget_on_d,
    lists_grown,
    truths_kept,
    whole_variables,
)
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.nested import forget_alone, inner_head, iterate, iterate_alone, iterate_d_prime
from alignkit.proving.loops.output_lengths import output_of_claim
from alignkit.proving.loops.passing import arbitrary_iteration, head_of_last, leave, past
from alignkit.proving.runs.alignment_run import AligningContext, Shifts, noise_drawn
from alignkit.proving.runs.grown_lists import GrownList, lists_within
from alignkit.proving.runs.lemma_calls import price_of_calls
from alignkit.proving.runs.loop_states import (
    Gains,
    LoopRound,
    LoopState,
    in_loop,
    inner_number,
    iteration_of,
    number_of,
    variable_at_head,
)
from alignkit.proving.runs.output_shapes import Shapes, held, offsets, shape
from alignkit.proving.runs.returned_forms import ReturnForm
from alignkit.proving.runs.seen_output import RealParts, is_discrete, seen
from alignkit.proving.symbolic_trial import Appended, AtLoop, Ended, Iteration, Preview, SymbolicTrial
from alignkit.proving.vectors.selections import parts_of, positions_named
from alignkit.symbolic.terms import Term


def preview_inner(trial: SymbolicTrial, number: int, inner: int) -> None:
    """D alone, to the end of one arbitrary iteration of the ``inner``-th loop inside the loop ``number``."""
    at = trial.run_d()
    for earlier in range(number):
        if isinstance(at, Ended):
            return
        at = past(trial, at, earlier)
    if isinstance(at, Ended):
        return
    here = arbitrary_iteration(trial, at, number, inner)
    if not isinstance(here, AtLoop):
        return
    run, own_number = trial.run, inner_number(number, here.number)
    head = trial.record.preview = Preview(here.node, changed_variables(trial, here), vectors=bool(run.families))
    early = len(run.emitted)
    forget_alone(trial, here, own_number)
    signal = iterate_alone(trial, here, own_number, outer=iteration_of(number))
    iteration = Iteration(
        outputs=len(run.emitted[early:]),
        shapes=Shapes.of(shape(output.value) for output in run.emitted),
        drawn=frozenset(),
        goes_on=signal is None,
        named=None,
        called=False,
        positions=None,
        discrete=False,
        gains=Gains(),
    )
    trial.record.preview = replace(head, iteration=iteration)


def to_the_inner_head(trial: SymbolicTrial, plans: tuple[LoopPlan, ...], plan: LoopPlan) -> None:
    """Both runs up to the head of an inner loop, where the invariants are stated."""
    inner = _reach(trial, plans, plan)
    if inner is not None:
        start = inner.begin()
        inner.forget(start, rounds=inner.length)


def one_inner_iteration(trial: SymbolicTrial, plans: tuple[LoopPlan, ...], plan: LoopPlan) -> None:
    """One arbitrary iteration of an inner loop; ``plans`` are those of the outer loop and of the loops before it."""
    inner = _reach(trial, plans, plan)
    if inner is None:
        return
    start = inner.begin()
    iteration = inner.iteration
    head = inner.forget(start, rounds=iteration)
    alike = inner.selected_alike(iteration)
    trial.facts.assume(within(iteration, inner.length), FactOrigin.BRANCH)

    trial.serving = "termination"
    signal = inner.iterate(iteration)
    if isinstance(signal, Returned):
        raise Unsupported("a return inside a loop in a loop", inner.node.place)
    goes_on = signal is None
    trial.ended = "next of an inner loop" if goes_on else "break of an inner loop"

    trial.serving = "same_output"
    trial.no_limit_broken(inner.shifts)
    inner.as_planned(goes_on)
    moved = inner.shifts_allowed()
    changed = inner.changed_by(iteration, head)
    outputs = head.outputs + inner.outputs_since
    after = LoopState(dict(inner.at.names), {}, head.cost + moved, changed, iteration + 1, outputs)
    trial.note(moved, LoopRound(start, head, after if goes_on else None))

    inner.iterate_d_prime(iteration, signal)
    trial.in_step(inner.d_prime)
    if not goes_on:
        return
    trial.record.after_ = dict(inner.at_.names)
    inner.establish(replace(after, names_=dict(inner.at_.names)), start, "is kept by every iteration")
    for one, other in alike:
        same = one.at(iteration).compare("==", other.at(iteration))
        trial.owed.oblige("same_output", same, inner.node.place, inv.ALIKE, invariant=inv.ALIKE)


def _reach(trial: SymbolicTrial, plans: tuple[LoopPlan, ...], plan: LoopPlan) -> LoopHead | None:
    """Both runs at the head of an inner loop, in an arbitrary iteration of the outer one."""
    at = trial.run_d()
    if isinstance(at, Ended):
        return None
    with trial.owed.shown_elsewhere():
        outer = head_of_last(trial, at, plans)
        if outer is None:
            return None
        iteration = outer.iteration
        outer.forget(outer.begin(), rounds=iteration)
        outer.selected_alike(iteration)
        trial.facts.assume(within(iteration, outer.length), FactOrigin.BRANCH)
        outer.count_rounds(iteration + 1, more=True)
        return inner_head(outer, iteration, plan)


# Whole runs


def whole_run(trial: SymbolicTrial) -> None:
    """D, the alignment and D′ from start to end; one-to-one by an order of the noise."""
    run_whole_d(trial)
    complete_run(trial)


def run_whole_d(trial: SymbolicTrial) -> None:
    """D from start to end."""
    at = trial.run_d()
    if isinstance(at, AtLoop):
        raise Unsupported("a loop of symbolic length in a run that is taken as a whole", at.node.place)


def complete_run(trial: SymbolicTrial) -> None:
    """The alignment and D′, where D is over; one-to-one by an order of the noise."""
    run, owed, place = trial.run, trial.owed, trial.place
    shifts, cost = _align_whole(trial, reals=trial.record.reals)
    if run.families:
        two_ranks(owed, run, shifts, place)
    else:
        acyclic_order(owed, run.drawn, shifts, 0, place)
    trial.within_claim(cost, shifts, output_of_claim(trial))
    _run_d_prime(trial, shifts)


def whole_run_by_pieces(trial: SymbolicTrial) -> None:
    """D, the alignment and D′ from start to end; on every piece the alignment has a known determinant."""
    run_whole_d(trial)
    shifts, cost = _align_whole(trial, continuous=trial.run.continuous)
    volumes = _volumes_by_pieces(trial, shifts)
    trial.within_claim(cost, shifts, output_of_claim(trial), volumes)
    _run_d_prime(trial, shifts)


def _align_whole(
    trial: SymbolicTrial, *, reals: RealParts | None = None, continuous: frozenset[str] = frozenset()
) -> tuple[Shifts, Term]:
    """The alignment, where D is over, with what is asked of its shifts, and what they cost.

    Shifts may read the real parts that ``reals`` takes note of.
    """
    run, owed, output = trial.run, trial.owed, output_of_d(trial)
    trial.note(Term.of(0))
    context = AligningContext(owed, noise_drawn(run), continuous)
    context.reals = reals or context.reals
    trial.serving = "same_output"
    shifts = trial.align(seen(output, reals=reals), context)
    trial.single_shifts_allowed(run.drawn, shifts)
    of_draws = cost_of_draws(run.drawn, shifts) + price_of_calls(run.calls)
    named, selected = indices_named(output), selection_named(owed.facts, run)
    return shifts, of_draws + cost_of_vectors(owed, run.families, shifts, named, selected, trial.place)


def _run_d_prime(trial: SymbolicTrial, shifts: Shifts) -> None:
    """D′ from start to end, held against D."""
    d_prime = trial.d_prime(shifts)
    at = trial.advance(d_prime.evaluator, trial.arguments(trial.values_))
    if not isinstance(at, Ended):
        raise Parted("same_output", "the loop has another length on D'", at.node.place)
    trial.finish_d_prime(at.signal, d_prime)


def output_of_d(trial: SymbolicTrial) -> Any:
    """What D has put out or returned."""
    values = [e.value for e in trial.run.emitted]
    return tuple(values) if trial.mechanism.program.is_generator else values[0]


def _volumes_by_pieces(trial: SymbolicTrial, shifts: Shifts) -> list[by_pieces.Volume]:
    """What the general theorem asks of every piece; the pieces whose volume changes."""
    noise_used.one_density(trial.record.varying)
    volumes = by_pieces.volumes(trial.owed, trial.run, shifts, trial.place)
    trial.record.one_to_one = by_pieces.PAID if volumes else by_pieces.unchanged(trial.run)
    return volumes


# Runs through a loop


def preview(trial: SymbolicTrial, number: int = 0) -> None:
    """D alone, to the end of one arbitrary iteration of a loop: what the body changes, draws and puts out.

    Loops are counted from 0; those before are passed, and nothing is known of what they change.
    """
    at = trial.run_d()
    for earlier in range(number):
        if isinstance(at, Ended):
            return
        at = past(trial, at, earlier)
    if isinstance(at, Ended):
        return
    run, node = trial.run, at.node
    changed = changed_variables(trial, at)
    head = Preview(node, changed, vectors=bool(run.families), grown=lists_grown(trial, at))
    trial.record.preview = head
    whole, truths = whole_variables(trial, at), truths_kept(trial, at)
    numbers = [name for name in changed if name not in truths]
    at_head_of_own = {n: variable_at_head(in_loop(n, number), integer=n in whole, truth=n in truths) for n in changed}
    before = {name: number_of(value) for name, value in at_head_of_own.items()}
    early, drawn, called, vectors = len(run.emitted), len(run.drawn), len(run.calls), len(run.families)
    at_head = tuple(run.rankings)
    index = iteration_of(number)
    signal = arbitrary_iteration(trial, at, number)
    assert not isinstance(signal, AtLoop)
    own, own_draws, calls = list(run.emitted[early:]), list(run.drawn[drawn:]), len(run.calls) > called
    after, assumed = dict(at.names), tuple(trial.facts.path.assumed)
    named = None
    if own and run.rankings and trial.mechanism.program.is_generator:
        by_output = (positions_named(trial.facts, at_head, output.value, index) for output in own)
        named = frozenset.intersection(*by_output)
    returned = _form_returned(trial, at, signal) if signal is not None else None
    iteration = Iteration(
        outputs=len(own),
        shapes=Shapes.of(shape(output.value) for output in (*run.emitted[:early], *own)),
        drawn=frozenset(draw.where.key for draw in own_draws if len(draw.where.index) == 1),
        called=calls or len(run.families) > vectors,
        positions=_positions(trial, [output.value for output in own]),
        goes_on=signal is None,
        named=named,
        discrete=all(is_discrete(output.value) for output in own),
        gains=Gains.of(before, after, assumed),
        offsets=offsets((output.value for output in own), index),
        kept=frozenset(name for name in changed if number_of(after[name]) == before[name]),
        held=held([output.value for output in own], numbers, after),
        marked=tuple((name, by) for name in numbers for by in _marked(after[name], index)),
        appended=tuple((name, _appended(trial, grown, at_head)) for name, grown in _lists_of(trial, at).items()),
    )
    trial.record.preview = replace(head, iteration=iteration, returned=returned)


def _marked(value: Any, iteration: Term) -> Iterator[int]:
    """What is added to the number of the iteration where a variable is set to it."""
    by = (Term.of(value) - iteration).constant
    if by is not None and by.denominator == 1:
        yield int(by)


def _lists_of(trial: SymbolicTrial, at: AtLoop) -> dict[str, GrownList]:
    """The lists as an iteration leaves them, or as the run that it ends returns them."""
    lists = {name: at.names[name] for name in lists_grown(trial, at)}
    returned = trial.run.emitted[-1].value if trial.returns and trial.run.emitted else None
    return lists | {grown.name: grown for _, grown in lists_within(returned)}


def _appended(trial: SymbolicTrial, grown: GrownList, rankings: tuple[Ranking, ...]) -> Appended:
    """What an iteration appends to a list."""
    assert trial.run.iteration is not None
    iteration = trial.run.iteration
    shapes = Shapes.of(map(shape, grown.items))
    named = (positions_named(trial.facts, rankings, item, iteration) for item in grown.items)
    common = frozenset.intersection(*named) if grown.items else frozenset()
    return Appended(len(grown.items), shapes, offsets(grown.items, iteration), common)


def preview_of_end(trial: SymbolicTrial, kept: frozenset[str]) -> None:
    """D alone, where all iterations have been run and have kept some variables as they were: what it returns."""
    at = trial.run_d()
    if isinstance(at, Ended):
        return
    vectors, grown = bool(trial.run.families), lists_grown(trial, at)
    head = Preview(at.node, changed_variables(trial, at), vectors=vectors, grown=grown)
    forget_on_d(trial, at, set(head.changed) - kept, 0)
    trial.record.preview = replace(head, returned=_form_returned(trial, at, None))


def preview_of_rest(trial: SymbolicTrial, number: int) -> None:
    """D alone, from where a loop is over or left by ``break``, to its end: what outputs it gives there.

    Those of the iterations of later loops are not among them.
    """
    at = trial.run_d()
    for loop in range(number):
        if isinstance(at, Ended):
            return
        at = past(trial, at, loop)
    if isinstance(at, Ended):
        return
    head = Preview(at.node, (), vectors=False)
    leave(trial, at, number)
    given = len(trial.run.emitted)
    rest = trial.advance(trial.evaluator, at.names, at.number + 1)
    while isinstance(rest, AtLoop):
        number += 1
        forget_alone(trial, rest, number)
        rest = trial.advance(trial.evaluator, rest.names, rest.number + 1)
    trial.record.preview = replace(head, outputs_after=tuple(shape(o.value) for o in trial.run.emitted[given:]))


def _form_returned(trial: SymbolicTrial, at: AtLoop, signal: Signal) -> ReturnForm | None:
    """What D returns where the loop is left, by ``signal`` or because it is over; None where nobody asks."""
    if not trial.returns or not trial.has_one_loop:
        return None
    inside = signal is not None
    if not isinstance(signal, Returned):
        end = trial.advance(trial.evaluator, at.names, at.number + 1)
        if isinstance(end, AtLoop):
            return None
        signal = end.signal
    trial.finish_d(signal)
    return ReturnForm.of(trial.run.emitted[-1].value, inside=inside)


def _positions(trial: SymbolicTrial, outputs: list[Any]) -> frozenset[int | None] | None:
    """The parts of all outputs that a call gave, or D selected, and that are a position in the first private list."""
    first, positions = trial.inputs.values.get(trial.inputs.vector or ""), trial.run.positions
    if isinstance(first, Family):
        selected = trial.facts.dependencies.families.items()
        positions = positions | {key for key, of in selected if of.admits is None and of.length == first.length}
    found = [
        frozenset(n for n, v in parts_of(output).items() if isinstance(v, Term) and v.key in positions)
        for output in outputs
    ]
    return frozenset.intersection(*found) if found else None


def to_the_head(trial: SymbolicTrial, plans: tuple[LoopPlan, ...]) -> None:
    """D, the alignment and D′ up to the head of the last loop that is planned, where the invariants are stated."""
    at = trial.run_d()
    if isinstance(at, Ended):
        return _complete_run_once(trial, plans)
    loop = head_of_last(trial, at, plans)
    if loop is None:
        return
    if trial.run.families and len(plans) == 1 and not plans[0].by_pieces:
        two_ranks(trial.owed, trial.run, loop.shifts, trial.place)
    start = loop.begin()
    loop.forget(start, rounds=loop.length)


def one_iteration(trial: SymbolicTrial, plans: tuple[LoopPlan, ...]) -> None:
    """One arbitrary iteration of the last loop that is planned, and what follows where it leaves the loop.

    What follows ends where the next loop begins: the stages of that loop begin there.
    """
    at = trial.run_d()
    if isinstance(at, Ended):
        return _complete_run_once(trial, plans)
    run, facts = trial.run, trial.facts
    loop = head_of_last(trial, at, plans)
    if loop is None:
        return None
    of_vectors = loop.cost_of_vectors()
    start = loop.begin()
    iteration = loop.iteration
    head = loop.forget(start, rounds=iteration)
    alike = loop.selected_alike(iteration)
    facts.assume(within(iteration, loop.length), FactOrigin.BRANCH)

    trial.serving = "termination"
    signal = iterate(loop, iteration)
    goes_on = signal is None
    loop.count_rounds(iteration + 1, more=goes_on)
    own, outputs = run.emitted[loop.emitted_before :], loop.outputs_since
    next_loop = None
    if goes_on:
        trial.ended = "next"
    else:
        next_loop = loop.rest_of_d(signal)
    ends = not goes_on and next_loop is None

    trial.serving = "same_output"
    trial.no_limit_broken(loop.shifts)
    loop.stream.outputs_of(own, iteration, loop.at.names, goes_on=goes_on)
    loop.as_planned(goes_on)
    if not goes_on:
        loop.stream.is_over(iteration, ended=ends)
    loop.iterate_alignment(iteration, goes_on=goes_on)
    of_vectors = of_vectors + loop.cost_of_later_vectors()
    moved = loop.shifts_allowed()
    changed = loop.changed_by(iteration, head)
    names, so_far = dict(loop.at.names), head.outputs + outputs
    after = LoopState(names, {}, head.cost + moved, changed, iteration + 1, so_far, loop.beside)
    trial.note(moved, LoopRound(start, head, after if goes_on else None), loop.appended(), loop.drawn_before)
    if ends:
        loop.within_claim(head, moved + of_vectors)

    signal_ = iterate_d_prime(loop, iteration, signal)
    if not goes_on:
        loop.rest_of_d_prime(signal_, next_loop)
        return None
    trial.in_step(loop.d_prime)
    trial.record.after_ = dict(loop.at_.names)
    loop.grown_alike()
    loop.kept(head)
    loop.establish(replace(after, names_=dict(loop.at_.names)), start, "is kept by every iteration")
    for one, other in alike:
        same = one.at(iteration).compare("==", other.at(iteration))
        trial.owed.oblige("same_output", same, loop.node.place, inv.ALIKE, invariant=inv.ALIKE)


def after_the_loop(trial: SymbolicTrial, plans: tuple[LoopPlan, ...]) -> None:
    """What follows the last loop that is planned, where every iteration was run and none has left the loop."""
    at = trial.run_d()
    if isinstance(at, Ended):
        return _complete_run_once(trial, plans)
    loop, plan = head_of_last(trial, at, plans), plans[-1]
    if loop is None:
        return
    # An iteration passes the head too: that vectors are one-to-one is obliged once, here.
    first = len(plans) == 1
    if first and trial.run.families and plan.by_pieces and _volumes_by_pieces(trial, loop.shifts):
        raise Unsupported("a shift that stretches noise drawn before a loop", trial.place)
    if first and trial.run.families and not plan.by_pieces:
        two_ranks(trial.owed, trial.run, loop.shifts, trial.place)
    of_vectors = loop.cost_of_vectors()
    start = loop.begin()
    head = loop.forget(start, rounds=loop.length)
    loop.selected_alike(loop.length)

    trial.serving = "termination"
    loop.count_rounds(loop.length, more=False)
    next_loop = loop.rest_of_d(None)

    trial.serving = "same_output"
    trial.no_limit_broken(loop.shifts)
    loop.stream.is_over(loop.length, ended=next_loop is None)
    loop.alignment_is_over(loop.length)
    of_vectors = of_vectors + loop.cost_of_later_vectors()
    moved = loop.shifts_allowed()
    trial.note(moved, LoopRound(start, head, None), loop.appended(), loop.drawn_before)
    if next_loop is None:
        loop.within_claim(head, moved + of_vectors)
    loop.rest_of_d_prime(None, next_loop)


def _complete_run_once(trial: SymbolicTrial, plans: tuple[LoopPlan, ...]) -> None:
    """A path that ends before the first loop; the stages of that loop run it to its end."""
    if len(plans) == 1:
        complete_run(trial)
