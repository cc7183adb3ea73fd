"""Questions to the solver: each is asked once; one that several paths oblige is first asked under what they share."""

from __future__ import annotations

import gc
import weakref

import pytest

from alignkit import check
from alignkit.errors import InternalError
from alignkit.proofs.hybrids import identity_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.obligation import Obligation
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

X, Y, Z = (Term.of(Symbol(name, Role.PUBLIC)) for name in "xyz")
ABOVE_1, ABOVE_0 = X.compare(">", 1), X.compare(">", 0)


class Counting:
    """z3, and the questions it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[object, ...], object]] = []

    def __call__(self, seconds: float) -> Counting:
        return self

    def decide(self, hypotheses, goal) -> Answer:
        self.asked.append((hypotheses, goal))
        return Z3Solver(10).decide(hypotheses, goal)


def obliged(goal, *paths) -> list[Obligation]:
    return [Obligation("cost", Hypotheses.of(known), goal, "a goal of several paths") for known in paths]


def test_an_obligation_of_no_condition_is_refused():
    """It would belong to no condition, and its answer would count for nothing."""
    with pytest.raises(InternalError, match="'costs', which is no condition"):
        Obligation("costs", Hypotheses.of(()), False, "a misspelt condition")


def test_what_follows_from_what_all_paths_know_is_asked_once():
    solver = Counting()
    paths = obliged(ABOVE_0, (ABOVE_1, Y.compare("==", 0)), (Z.compare("==", 0), ABOVE_1))
    assert all(each.holds for each in Decider(solver, 60).decide_all(paths))
    assert solver.asked == [((ABOVE_1,), ABOVE_0)]


def test_what_follows_on_each_path_in_its_own_way_is_asked_of_each():
    solver = Counting()
    paths = obliged(ABOVE_0, (ABOVE_1,), (X.compare("==", Y * Y + 1),))
    assert all(each.holds for each in Decider(solver, 60).decide_all(paths))
    assert len(solver.asked) == 3


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_what_does_not_follow_on_one_path_holds_on_the_others_alone(wrong):
    known = [(ABOVE_1, Y.compare("==", number)) for number in range(3)]
    known[wrong] = (Y.compare("==", 0),)
    decided = Decider(Counting(), 60).decide_all(obliged(ABOVE_0, *known))
    assert [each.answer.outcome for each in decided] == [
        Outcome.POSSIBLE if number == wrong else Outcome.FOLLOWS for number in range(3)
    ]


def test_paths_that_share_no_hypothesis_settle_nothing_together():
    """One path contradicts itself, so that anything follows there; the other knows nothing."""
    never = (X.compare(">", 0), X.compare("<", 0))
    decided = Decider(Counting(), 60).decide_all(obliged(Y.compare(">", 0), never, ()))
    assert [each.holds for each in decided] == [True, False]


@pytest.mark.parametrize("checked", [gap_phi, identity_phi], ids=["loop", "vectors"])
def test_encodings_are_freed_when_their_check_is_over(checked, monkeypatch):
    """They do not wait until Python looks for cycles, which would be in the midst of another check."""
    written = []
    made = Z3Solver.of_one_check

    def watched():
        solvers = made()
        written.extend(map(weakref.ref, solvers(1.0).encoders))
        return solvers

    monkeypatch.setattr(Z3Solver, "of_one_check", staticmethod(watched))
    gc.collect()
    gc.disable()
    try:
        check(checked, effort=0)
        assert written
        assert all(encoder() is None for encoder in written)
        assert gc.collect() < 1000  # ctypes leaves a few cycles of its own
    finally:
        gc.enable()


class Slow:
    """A solver that knows nothing within a second, and everything if it is given more."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def decide(self, hypotheses, goal) -> Answer:
        return Answer(Outcome.UNKNOWN if self.seconds <= 1 else Outcome.FOLLOWS)


def test_a_question_of_several_paths_is_asked_briefly_and_again_with_more_time():
    paths = obliged(ABOVE_0, (ABOVE_1, Y.compare("==", 0)), (ABOVE_1,))
    assert all(each.holds for each in Decider(Slow, 60).decide_all(paths))
