"""From one loop to the next: a loop that is over, as a step of a path.

After a loop the state is that of its head when all iterations were run, or that of an iteration that left it. Both are
covered by the stages of that loop, which oblige everything that is owed up to the next loop; here it is taken as shown.
"""

from __future__ import annotations

from alignkit.errors import Infeasible
from alignkit.interpreting.values import Broke, Signal
from alignkit.proving.conditions.shifts import cost_of_draws
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.loops.head import Before, LoopHead, first_head, forget_dead
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.nested import (
    body_alone,
    forget_alone,
    is_nested,
    iterate,
    iterate_alone,
    iterate_d_prime,
    left_early,
    way,
)
from alignkit.proving.runs.lemma_calls import price_of_calls
from alignkit.proving.runs.loop_states import LoopState, iteration_of
from alignkit.proving.symbolic_trial import AtLoop, Ended, SymbolicTrial
from alignkit.symbolic.terms import Term


def head_of_last(trial: SymbolicTrial, at: AtLoop, plans: tuple[LoopPlan, ...]) -> LoopHead | None:
    """Both runs at the head of the last loop that is planned; None where a path does not come there."""
    *earlier, last = plans
    if not earlier:
        return first_head(trial, at, last)
    with trial.owed.shown_elsewhere():
        head = first_head(trial, at, plans[0])
        for plan in plans[1:]:
            next_head = _passed(head, plan)
            if next_head is None:
                return None
            head = next_head
    return head


def _passed(loop: LoopHead, plan: LoopPlan) -> LoopHead | None:
    """The head of the next loop; None where the loop at hand is left by ``return``, or the program ends after it."""
    trial, run, number = loop.trial, loop.trial.run, loop.before.loops
    assert isinstance(number, int)  # it is at the top level
    vectors = loop.cost_of_vectors()
    start = loop.begin()
    alive = set(loop.at.names), set(loop.at_.names)
    left = left_early(trial, number, loop.plan)
    unseen = iteration_of(number) if left else loop.length
    state = loop.forget(start, rounds=unseen)
    loop.selected_alike(unseen)
    if left and not _left_by_iteration(loop, state):
        return None
    if not left:
        loop.count_rounds(unseen, more=False)
    if loop.rounds_in_all is not None:
        unseen = loop.rounds_in_all - 1 if left else loop.rounds_in_all
    forget_dead((loop.at.names, loop.at_.names), alive)
    trial.ways = (*trial.ways, way(left, number))
    at = loop.rest_of_d(None)
    if at is None:
        return None
    vectors = vectors + loop.cost_of_own_vectors() + loop.cost_of_later_vectors()
    at_ = loop.rest_of_d_prime(None, at)
    loop.stream.pass_to(at, plan, unseen)
    since = cost_of_draws(run.drawn[loop.drawn_before :], loop.shifts) + price_of_calls(run.calls[loop.called_before :])
    before = Before(
        cost=state.cost + since + loop.inner_cost,
        outputs=state.outputs + loop.outputs_since,
        loops=number + 1,
        settled=len(run.drawn),
        earlier=loop.drawn_so_far(len(run.families)),
        vectors=vectors,
    )
    assert at_ is not None
    return LoopHead(trial, at, at_, plan, loop.aligned, before)


def _left_by_iteration(loop: LoopHead, state: LoopState) -> bool:
    """Run the iteration that leaves a loop on both sides; False where it does not leave it, or returns."""
    trial, iteration = loop.trial, loop.iteration
    trial.facts.assume(within(iteration, loop.length), FactOrigin.BRANCH)
    signal = iterate(loop, iteration)
    if not isinstance(signal, Broke):
        return False
    loop.count_rounds(iteration + 1, more=False)
    own = trial.run.emitted[loop.emitted_before :]
    loop.stream.outputs_of(own, iteration, loop.at.names, goes_on=False)
    loop.changed_by(iteration, state)
    iterate_d_prime(loop, iteration, signal)
    trial.in_step(loop.d_prime)
    return True


# D alone


def past(trial: SymbolicTrial, at: AtLoop, number: int) -> Ended | AtLoop:
    """Run D alone through a loop, to the next one or to its end; Infeasible where this is no way through."""
    leave(trial, at, number)
    return trial.advance(trial.evaluator, at.names, at.number + 1)


def leave(trial: SymbolicTrial, at: AtLoop, number: int) -> None:
    """Run D alone to where a loop is over, or is left by an iteration that does not return."""
    alive = set(at.names)
    if left_early(trial, number):
        if not isinstance(arbitrary_iteration(trial, at, number), Broke):
            raise Infeasible
    else:
        forget_alone(trial, at, number)
    forget_dead((at.names,), (alive,))


def arbitrary_iteration(trial: SymbolicTrial, at: AtLoop, number: int, stop: int | None = None) -> Signal | AtLoop:
    """Run an arbitrary iteration of D alone, to its end or to a loop inside; nothing is known of what loops change."""
    forget_alone(trial, at, number)
    if not is_nested(at.node):
        return iterate_alone(trial, at, number)
    trial.run.iteration = index = iteration_of(number)
    trial.facts.assume(within(index, Term.of(at.items.length)), FactOrigin.BRANCH)
    trial.evaluator.bind(at.node.target, at.items.element(index), at.names, at.node.place)
    return body_alone(trial, at.node, at.names, number, stop)
