"""The stages of a loop inside the body of another: its head and one arbitrary iteration of it.

Both stand in an arbitrary iteration of the outer loop. What leads there, and what follows the inner loop, the stages of
the outer loop oblige.
"""

from __future__ import annotations

from dataclasses import replace

from alignkit.errors import Unsupported
from alignkit.interpreting.values import Returned
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops.changed_names import changed_variables
from alignkit.proving.loops.head import LoopHead
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.nested import forget_alone, inner_head, iterate_alone
from alignkit.proving.loops.passing import arbitrary_iteration, head_of_last, past
from alignkit.proving.runs.gains import Gains
from alignkit.proving.runs.loop_states import LoopRound, LoopState, inner_number, iteration_of
from alignkit.proving.runs.output_shapes import Shapes, shape
from alignkit.proving.symbolic_trial import AtLoop, Ended, Iteration, Preview, SymbolicTrial


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
