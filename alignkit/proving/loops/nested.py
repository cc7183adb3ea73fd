"""An iteration of a loop whose body has loops of symbolic length itself.

Both runs go through the body in step, from one inner loop to the next. Each inner loop is proved by an induction of its
own, for every state in which the outer loop may come to it; its stages oblige that, and to the outer iteration an inner
loop that is over is one step. Its cost is at most what its bound on the cost says.
"""

from __future__ import annotations

from alignkit.errors import Infeasible, Parted, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Broke, Environment, Family, Returned, Signal
from alignkit.language.program import For
from alignkit.proving.conditions.shifts import cost_of_draws
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.loops.head import Before, LoopHead, changed_variables, forget_dead, forget_on_d
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.runs.lemma_calls import price_of_calls
from alignkit.proving.runs.loop_states import (
    CHANGE,
    LoopNumber,
    LoopState,
    inner_number,
    iteration_of,
    shown_number,
)
from alignkit.proving.symbolic_trial import AtLoop, Ended, SymbolicTrial
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Term


def left_early(trial: SymbolicTrial, number: LoopNumber, plan: LoopPlan | None = None) -> bool:
    """Whether an iteration leaves a loop, on this path; both ways are paths, unless none is planned to leave it."""
    if plan is not None and plan.whole:
        return False
    return trial.facts.path.decide(Unknown(f"an iteration leaves loop {shown_number(number)}"))


def way(left: bool, number: LoopNumber) -> str:
    """How a loop was passed, in words."""
    return f"loop {shown_number(number)} {'left early' if left else 'over'}"


def is_nested(loop: For) -> bool:
    """Whether the body of a loop has a loop among its statements."""
    return any(isinstance(statement, For) for statement in loop.body)


def run_body(evaluator: Evaluator, loop: For, names: Environment, iteration: Term, start: int) -> Ended | AtLoop:
    """Run the statements of a body from ``start`` to the next loop of symbolic length, or to the iteration's end."""
    evaluator.iteration = (iteration,)
    for number, statement in enumerate(loop.body[start:], start):
        if isinstance(statement, For):
            items = evaluator.iterable(statement.iterable, names)
            if isinstance(items, Family):
                return AtLoop(number, statement, items, names)
        signal = evaluator.statement(statement, names)
        if signal is not None:
            evaluator.iteration = ()
            return Ended(signal)
    evaluator.iteration = ()
    return Ended(None)


def iterate(loop: LoopHead, iteration: Term) -> Signal:
    """Run an iteration of D, and of D′ as far as the last loop inside."""
    if not is_nested(loop.node):
        return loop.iterate(iteration)
    ended = _to_inner(loop, iteration, None)
    assert isinstance(ended, Ended)
    loop.is_iterated()
    return ended.signal


def iterate_d_prime(loop: LoopHead, iteration: Term, signal: Signal) -> Signal:
    """Run the iteration of D′, or what is left of it, which must end as that of D did."""
    if not is_nested(loop.node):
        return loop.iterate_d_prime(iteration, signal)
    at_ = _body_of_d_prime(loop, iteration)
    if isinstance(at_, AtLoop):
        raise Parted("same_output", "D' enters a loop, but D does not", at_.node.place)
    return loop.same_ending(signal, at_.signal)


def inner_head(loop: LoopHead, iteration: Term, plan: LoopPlan) -> LoopHead | None:
    """Both runs at the head of a loop inside; None where the iteration does not come there."""
    at = _to_inner(loop, iteration, plan)
    return at if isinstance(at, LoopHead) else None


def _to_inner(loop: LoopHead, iteration: Term, plan: LoopPlan | None) -> LoopHead | Ended:
    """Run the body on both sides, through the loops that are planned, to the loop of ``plan`` or to its end."""
    trial, evaluator = loop.trial, loop.trial.evaluator
    trial.run.iteration = iteration
    evaluator.bind(loop.node.target, loop.at.items.element(iteration), loop.at.names, loop.node.place)
    element_ = loop.at_.items.element(iteration)
    loop.d_prime.evaluator.bind(loop.node.target, element_, loop.at_.names, loop.node.place)
    loop.begun = 0
    at = run_body(evaluator, loop.node, loop.at.names, iteration, 0)
    while isinstance(at, AtLoop):
        if "omega" in trial.alignment.program.parameters or trial.alignment.ex_post:
            raise Unsupported(
                "a loop inside a loop, with an alignment that takes the output or a claim that reads it", at.node.place
            )
        of_inner = next((p for p in (*loop.plan.inner, plan) if p is not None and p.loop is at.node), None)
        if of_inner is None:
            raise Unsupported("a loop of symbolic length inside a loop, on some paths only", at.node.place)
        inner = _head_of_inner(loop, iteration, at, of_inner)
        if of_inner is plan:
            return inner
        loop.inner_cost = loop.inner_cost + _pass_inner(inner)
        trial.run.outer, trial.run.iteration = None, iteration
        at = run_body(evaluator, loop.node, loop.at.names, iteration, at.number + 1)
    return at


def _body_of_d_prime(loop: LoopHead, iteration: Term) -> Ended | AtLoop:
    at_ = run_body(loop.d_prime.evaluator, loop.node, loop.at_.names, iteration, loop.begun)
    loop.begun = at_.number + 1 if isinstance(at_, AtLoop) else 0
    return at_


def _head_of_inner(loop: LoopHead, iteration: Term, at: AtLoop, plan: LoopPlan) -> LoopHead:
    """The head of a loop inside, which D has reached; D′ is run up to it."""
    trial, run, state = loop.trial, loop.trial.run, loop.state
    assert state is not None
    at_ = _body_of_d_prime(loop, iteration)
    since = cost_of_draws(run.drawn[loop.drawn_before :], loop.shifts) + price_of_calls(run.calls[loop.called_before :])
    before = Before(
        cost=state.cost + since + loop.inner_cost,
        outputs=state.outputs + loop.outputs_since,
        loops=inner_number(loop.before.loops, at.number),
        settled=len(run.drawn),
        earlier=loop.drawn_on_path(len(run.drawn)),
        vectors=Term.of(0),
    )
    inner = LoopHead(trial, at, at_, plan, loop.aligned, before)
    run.outer = iteration
    return inner


def _pass_inner(inner: LoopHead) -> Term:
    """Go through a loop inside, which was left by an iteration or is over; a bound on the cost of what it drew.

    What the iteration draws that leaves the loop is on the path, and not in the bound.
    """
    trial, number = inner.trial, inner.before.loops
    with trial.owed.shown_elsewhere():
        start = inner.begin()
        alive = set(inner.at.names), set(inner.at_.names)
        left = left_early(trial, number, inner.plan)
        state = inner.forget(start, rounds=inner.iteration if left else inner.length)
        inner.selected_alike(state.rounds)
        if left:
            trial.facts.assume(within(inner.iteration, inner.length), FactOrigin.BRANCH)
            signal = inner.iterate(inner.iteration)
            if isinstance(signal, Returned):
                raise Unsupported("a return inside a loop in a loop", inner.node.place)
            if not isinstance(signal, Broke):
                raise Infeasible
            inner.changed_by(inner.iteration, state)
            inner.iterate_d_prime(inner.iteration, signal)
            trial.in_step(inner.d_prime)
        forget_dead((inner.at.names, inner.at_.names), alive)
    trial.ways = (*trial.ways, way(left, number))
    return _bound(inner, start, state)


def _bound(inner: LoopHead, start: LoopState, state: LoopState) -> Term:
    """What the iterations of a loop inside cost at most, by its plan."""
    bounds = inner.plan.bounds
    if inner.plan.still or not bounds:
        return state.cost - start.cost
    total, most = Term.of(0), inner.trial.inputs.most_change
    for counter, rate in bounds[0].rates:
        gain = state.counted(counter) - start.counted(counter)
        if counter == CHANGE and most is not None:
            words = f"the rate {rate} of the cost is at least 0"
            inner.trial.owed.oblige("cost", rate.compare(">=", 0), inner.node.place, words)
            gain = most
        total = total + rate * gain
    return total


# D alone


def body_alone(
    trial: SymbolicTrial, loop: For, names: Environment, number: LoopNumber, stop: int | None
) -> Signal | AtLoop:
    """Run the body of D alone, in the iteration at hand, to its end or to the ``stop``-th loop inside.

    Of what loops inside change nothing is known.
    """
    iteration, passed = iteration_of(number), 0
    at = run_body(trial.evaluator, loop, names, iteration, 0)
    while isinstance(at, AtLoop):
        if passed == stop:
            return at
        inner, alive = inner_number(number, at.number), set(names)
        left = left_early(trial, inner)
        forget_alone(trial, at, inner)
        if left and not isinstance(iterate_alone(trial, at, inner, outer=iteration), Broke):
            raise Infeasible
        trial.run.outer, trial.run.iteration = None, iteration
        forget_dead((names,), (alive,))
        passed += 1
        at = run_body(trial.evaluator, loop, names, iteration, at.number + 1)
    return at.signal


def iterate_alone(trial: SymbolicTrial, at: AtLoop, number: LoopNumber, outer: Term | None = None) -> Signal:
    """Run an arbitrary iteration of D alone, of a loop without loops inside."""
    trial.run.outer, trial.run.iteration = outer, iteration_of(number)
    index = iteration_of(number)
    trial.facts.assume(within(index, Term.of(at.items.length)), FactOrigin.BRANCH)
    return trial.evaluator.iterate(at.node, index, at.items.element(index), at.names)


def forget_alone(trial: SymbolicTrial, at: AtLoop, number: LoopNumber) -> None:
    """Put unknown values for what the body of a loop changes, on D alone."""
    forget_on_d(trial, at, changed_variables(trial, at), number)
