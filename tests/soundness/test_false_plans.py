"""Whoever plans a proof is not trusted: a plan of another program, or one that leaves something out, proves nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from alignkit.errors import Unsupported
from alignkit.proofs import adaptive_queries, exponential_mechanism, several_loops, sparse_vector
from alignkit.proving import proof
from alignkit.proving.conditions.adaptive_queries import Theorem
from alignkit.proving.loops import invariants as inv
from alignkit.proving.loops.head import OF_ITERATIONS
from alignkit.proving.loops.invariants import CostBound, Invariant
from alignkit.proving.planned_runs import OTHER_PLAN, ProofPlan
from alignkit.proving.planning import plan_proof
from alignkit.proving.runs.loop_states import (
    ITERATION,
    ROUNDS,
    Ghost,
    LoopState,
    iteration_of,
    outer_iteration,
    placeholder,
    put,
)
from alignkit.proving.symbolic_trial import Exploration
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.summation import BOUND, running_sum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

Change = Callable[[ProofPlan], ProofPlan]
PROVING = Path(proof.__file__).parent


def changed(number: int, **fields: Any) -> Change:
    """What changes the plan of one loop; a lemma may have none."""

    def change(planned: ProofPlan) -> ProofPlan:
        loops = list(planned.loops)
        if not loops:
            return planned
        loops[number] = dataclasses.replace(loops[number], plan=dataclasses.replace(loops[number].plan, **fields))
        return dataclasses.replace(planned, loops=tuple(loops))

    return change


def inside(**fields: Any) -> Change:
    """What changes the plan of the first loop inside the first loop."""

    def change(planned: ProofPlan) -> ProofPlan:
        inner = planned.plans[0].inner
        return changed(0, inner=(dataclasses.replace(inner[0], **fields), *inner[1:]))(planned)

    return change


def swapped(planned: ProofPlan) -> ProofPlan:
    return ProofPlan(planned.loops[::-1])


OF_ANOTHER_PROGRAM: dict[str, tuple[Any, Change]] = {
    "no loop": (sparse_vector.phi, lambda planned: ProofPlan()),
    "no loop, by pieces": (sparse_vector.phi, lambda planned: ProofPlan(whole_by_pieces=True)),
    "a loop and by pieces": (sparse_vector.phi, lambda p: dataclasses.replace(p, whole_by_pieces=True)),
    "a loop too few": (several_loops.twice_phi, lambda planned: ProofPlan(planned.loops[:1])),
    "a loop too many": (sparse_vector.phi, lambda planned: ProofPlan(planned.loops * 2)),
    "loops in another order": (several_loops.twice_phi, swapped),
    "no loop inside": (several_loops.rounds_phi, changed(0, inner=())),
    "alone beside another": (several_loops.twice_phi, changed(0, alone=True)),
    "alone after another": (several_loops.twice_phi, changed(1, alone=True)),
    "alone with a loop inside": (several_loops.rounds_phi, changed(0, alone=True)),
    "alone inside another": (several_loops.rounds_phi, inside(alone=True)),
    "a later loop by pieces": (several_loops.twice_phi, changed(1, by_pieces=True)),
    "a loop inside by pieces": (several_loops.rounds_phi, inside(by_pieces=True)),
    "two outputs each, beside another": (several_loops.twice_phi, changed(0, each=2)),
    "told, beside another": (several_loops.twice_phi, changed(0, told={(): 0})),
    "kept, beside another": (several_loops.twice_phi, changed(0, kept=frozenset({"count"}))),
    "a theorem on steps, beside another": (several_loops.twice_phi, changed(0, theorem=Theorem.STEPS)),
    "a loop inside a loop inside": (several_loops.rounds_phi, lambda p: inside(inner=p.plans[0].inner)(p)),
}


def how_it_fails(aligned: Any, change: Change, prover_alone: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """Why same output is not proved under a plan that was changed; the plan itself is enough."""
    assert prover_alone(aligned).complete
    monkeypatch.setattr(proof, "plan_proof", lambda *given: change(plan_proof(*given)))
    shown = prover_alone(aligned)
    assert not shown.complete
    return str(shown.conditions["same_output"].how)


@pytest.mark.parametrize(("aligned", "change"), OF_ANOTHER_PROGRAM.values(), ids=OF_ANOTHER_PROGRAM)
def test_a_plan_of_another_program_is_refused(aligned, change, prover_alone, monkeypatch) -> None:
    assert OTHER_PLAN in how_it_fails(aligned, change, prover_alone, monkeypatch)


def test_what_is_planned_of_an_only_loop_is_refused_where_mechanisms_are_called(prover_alone, monkeypatch) -> None:
    from alignkit.proofs.composition import rounds_phi

    assert OTHER_PLAN in how_it_fails(rounds_phi, changed(0, told={(): 0}), prover_alone, monkeypatch)


FALSE = Invariant("c is 7 at every head", placeholder("count").compare("==", 7))

INCOMPLETE: dict[str, tuple[Any, Change]] = {
    "an invariant that does not hold": (
        sparse_vector.phi,
        lambda p: changed(0, invariants=(*p.plans[0].invariants, FALSE))(p),
    ),
    "no invariants": (sparse_vector.phi, changed(0, invariants=())),
    "no equalities": (sparse_vector.phi, changed(0, equal=frozenset())),
    "a lower rate of the cost": (
        sparse_vector.phi,
        lambda p: changed(0, invariants=tuple(map(_halved, p.plans[0].invariants)))(p),
    ),
    "a lower rate of the cost inside": (
        several_loops.thresholds_phi,
        lambda p: inside(invariants=tuple(map(_halved, p.plans[0].inner[0].invariants)))(p),
    ),
    "an order of the noise": (exponential_mechanism.gap_phi, lambda p: _by_an_order(p)),
}


ITERATION_NUMBER = Term.of(ITERATION)
ANSWER = Term.of(Element("q", ITERATION_NUMBER, Role.PRIVATE))
NOISE = Term.of(Element("eta", ITERATION_NUMBER, Role.NOISE))

OF_ONE_ITERATION: dict[str, Invariant] = {
    "the iteration at hand": Invariant("count <= i", placeholder("count").compare("<=", ITERATION_NUMBER)),
    "a later loop's iteration": Invariant("count <= j", placeholder("count").compare("<=", iteration_of(1))),
    "an inner loop's iteration": Invariant("count <= j", placeholder("count").compare("<=", iteration_of("1.1"))),
    "a state itself": Invariant("count is", placeholder("count").compare("==", Term.of(Symbol("count", Role.STATE)))),
    "the cost at the head": Invariant("cost", Term.of(Symbol("cost so far", Role.STATE)).compare("<=", 7)),
    "noise": Invariant("noise", NOISE.compare("<=", 7)),
    "the output": Invariant("output", Term.of(Symbol("omega", Role.UNKNOWN)).compare("<=", 7)),
    "an answer at the iteration": Invariant("answer", ANSWER.compare("<=", 7)),
    "a question": Invariant("question", Unknown("BELOW in omega")),
    "a rate of noise": inv.cost_potential(((ROUNDS, NOISE),)),
    "a rate that grows with the iteration": inv.cost_potential(((ROUNDS, ITERATION_NUMBER),)),
    "a counter of the iteration": inv.cost_potential(((Ghost("i", ITERATION_NUMBER), Term.of(1)),)),
}


@pytest.mark.parametrize("invariant", OF_ONE_ITERATION.values(), ids=OF_ONE_ITERATION)
def test_an_invariant_that_is_no_property_of_states_is_refused(invariant, prover_alone, monkeypatch) -> None:
    """What is known of one iteration is then not what is obliged for the next."""

    def change(planned: ProofPlan) -> ProofPlan:
        return changed(0, invariants=(*planned.plans[0].invariants, invariant))(planned)

    assert OF_ITERATIONS in how_it_fails(sparse_vector.phi, change, prover_alone, monkeypatch)


def test_an_inner_invariant_may_speak_of_the_outer_iteration_only() -> None:
    outer = placeholder("count").compare("<=", iteration_of(0))
    own = placeholder("count").compare("<=", iteration_of("1.1"))
    assert Invariant("outer", outer).speaks_of_states(outer_iteration("1.1"))
    assert not Invariant("own", own).speaks_of_states(outer_iteration("1.1"))
    assert not Invariant("outer", outer).speaks_of_states(outer_iteration(0))


def test_where_a_condition_need_not_hold_is_a_property_of_states_too() -> None:
    expression = sparse_vector.phi.claim_expression
    nothing_counted = placeholder("count").compare("==", placeholder("count", before=True))
    assert inv.ProgramCondition("c", expression=expression, unless=nothing_counted).speaks_of_states(())
    early = ITERATION_NUMBER.compare("<=", 7)
    assert not inv.ProgramCondition("c", expression=expression, unless=early).speaks_of_states(())


def test_what_stands_for_a_whole_number_is_put_for_whole_numbers_only() -> None:
    half = LoopState({"x": Term.of(1)}, {}, Term.of(0), None, Term.of(Symbol("half", Role.STATE)), Term.of(0))
    with pytest.raises(Unsupported, match="whole number"):
        put(placeholder(ROUNDS).compare("<", 7), half, half)


def test_a_sum_up_to_a_placeholder_is_summed_anew() -> None:
    body = Term.of(Element("q", BOUND, Role.PRIVATE))
    start = LoopState({}, {}, Term.of(0), None, Term.of(0), Term.of(0))
    assert put(running_sum(body, placeholder(ROUNDS)), start, start) == Term.of(0)


def _halved(invariant: Invariant) -> Invariant:
    if not isinstance(invariant, CostBound):
        return invariant
    return inv.cost_potential(tuple((counter, rate / 2) for counter, rate in invariant.rates))


def _by_an_order(planned: ProofPlan) -> ProofPlan:
    return changed(0, by_pieces=False)(planned) if planned.loops else ProofPlan()


@pytest.mark.parametrize(("aligned", "change"), INCOMPLETE.values(), ids=INCOMPLETE)
def test_a_plan_that_does_not_hold_is_not_proved(aligned, change, prover_alone, monkeypatch) -> None:
    assert OTHER_PLAN not in how_it_fails(aligned, change, prover_alone, monkeypatch)


def test_another_theorem_than_the_planned_one_is_held_against_the_outputs(prover_alone, monkeypatch) -> None:
    aligned = adaptive_queries.online_gap_phi
    assert prover_alone(aligned).complete
    monkeypatch.setattr(proof, "plan_proof", lambda *given: changed(0, theorem=Theorem.DISCRETE)(plan_proof(*given)))
    assert "an output has a real part" in prover_alone(aligned).conditions["adaptive_queries"].how


def test_records_of_a_stage_count_under_their_own_plans_only(prover_alone, monkeypatch) -> None:
    """Also where the plan that is handed on is another than the one that was run last."""

    def plan(exploration: Exploration, decider: Any) -> ProofPlan:
        planned = plan_proof(exploration, decider)
        assert exploration.last_run
        return changed(0, invariants=(*planned.plans[0].invariants, FALSE))(planned)

    monkeypatch.setattr(proof, "plan_proof", plan)
    shown = prover_alone(sparse_vector.phi)
    assert any(d.obligation.invariant == FALSE.name and not d.holds for d in shown.decided)


def test_what_was_run_is_remembered_in_one_place() -> None:
    users = {path.relative_to(PROVING).as_posix() for path in PROVING.rglob("*.py") if "last_run" in path.read_text()}
    assert users == {"symbolic_trial.py", "planned_runs.py"}
