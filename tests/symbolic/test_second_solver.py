"""cvc5 beside z3: two encoders and two solvers answer alike, and where they do not nothing is proved."""

from __future__ import annotations

import sys
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.checking import check, check_with_vote, confirm
from alignkit.errors import InputError, InternalError
from alignkit.proofs.composition import twice_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.results import Vote
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.cvc5_solver import Cvc5Solver
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.smtlib import Question as Text
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver
from tests.symbolic.conftest import Question, questions

X, Y = (Term.of(Symbol(name, Role.NOISE)) for name in "xy")
P = Term.of(Symbol("p", Role.PUBLIC, positive=True))
I_, J, D = (Term.of(Symbol(name, Role.INDEX, integer=True)) for name in "ijd")
M = Term.of(Symbol("m", Role.PUBLIC, integer=True, positive=True))
A_I, A_J = (Term.of(Element("a", index, Role.PRIVATE)) for index in (I_, J))
TWICE = I_.compare("==", 0).choose(2, 0) + (I_ * 2)
OVER = Unknown('omega[3] is "OVER|"\n')

# What follows from what, and what does not though it is near: each kind of atom, and each fact that is stated of it.
FOLLOWS: list[tuple[tuple[Any, ...], Any, bool]] = [
    ((X.compare(">", 1), Y.compare(">", 1)), (X * Y).compare(">", 1), True),
    ((X.compare(">", 1), Y.compare(">", -1)), (X * Y).compare(">", 1), False),
    ((M.compare(">", 1),), M.compare(">=", 2), True),
    ((P.compare("<", 1),), P.compare("==", 0), False),
    ((OVER | X.compare("==", 0), ~OVER), X.compare("<=", 0), True),
    ((OVER | X.compare("==", 0), OVER), X.compare("<=", 0), False),
    ((I_.compare("==", J),), A_I.compare("==", A_J), True),
    ((I_.compare("<=", J),), A_I.compare("==", A_J), False),
    ((I_.compare("!=", J), I_.compare(">=", J)), I_.compare(">=", J + 1), True),
    ((), abs(X).compare(">=", X), True),
    ((), abs(X).compare(">", X), False),
    ((I_.compare(">", -1), I_.compare("<", 1)), TWICE.compare("==", 2), True),
    ((TWICE.compare("<", 2),), I_.compare("<=", -1), True),
    ((X.compare("!=", 1),), (Y / (X - 1) * (X - 1)).compare("==", Y), True),
    ((), (1 / (X * X + P)).compare(">", 0), True),
    ((X.compare(">", 0),), (1 / (X - 1)).compare(">=", -1), False),
    ((X.compare(">=", 0),), X.sqrt().compare(">=", 0), True),
    ((X.compare(">=", 4),), X.sqrt().compare(">=", 2), True),
    ((X.compare(">=", 4),), X.sqrt().compare(">", 2), False),
    ((X.compare("<", 0),), X.sqrt().compare(">=", 0), False),
    ((), X.exp().compare(">=", X + 1), True),
    ((X.compare("<", 0),), X.exp().compare("<", 1), True),
    ((), P.exp().compare(">", 1), True),
    ((), (-P).exp().compare("<", 1), True),
    ((), X.exp().compare(">", X + 1), False),
    ((), (P.log() + 1).compare("<=", P), True),
    ((X.compare(">", 0), Y.compare(">=", X)), Y.log().compare(">=", X.log()), True),
    ((X.compare(">", 0), (X * Y).compare("==", 1)), (X.log() + Y.log()).compare("==", 0), True),
    ((Y.compare(">=", X),), Y.log().compare(">=", X.log()), False),
    ((), (10 * Term.of(2).log()).compare("<", 7), True),
    ((), Term.of(2).log().compare("==", Term.of(3).log()), False),
    ((), X.floor().compare(">", X - 1), True),
    ((), (M / 2).floor().compare(">=", (M - 1) / 2), True),
    ((), X.floor().compare(">=", X), False),
    ((), X.ceil().compare("<", X + 1), True),
    ((), P.ceil().compare(">=", 1), True),
    ((), X.ceil().compare("<=", X), False),
    (((Y - X).compare("<=", 1),), (Y.floor() - X.floor()).compare("<=", 1), True),
    (((Y - X).compare("<=", 1),), (Y.ceil() - X.ceil()).compare("<=", 1), True),
    (((Y - X).compare(">=", -1),), (X.floor() - Y.floor()).compare("<=", 1), True),
    ((), ((X + 1).floor() - X.floor()).compare("==", 1), True),
    ((X.compare("==", Y),), X.ceil().compare("==", Y.ceil()), True),
    (((2 * Y - 2 * X).compare("<=", 1),), (Y.floor() - X.floor()).compare("<=", 0), False),
    ((), (X.ceil() - X.floor()).compare("<=", 0), False),
    (((2 * X).compare("<=", 1),), X.round().compare("<=", 0), True),
    ((), X.round().compare("<=", X), False),
    ((), (I_ % M).compare("<", M), True),
    ((D.compare("<", 0),), (I_ % D).compare("<=", 0), True),
    ((), (I_ % D).compare(">=", 0), False),
    ((((I_ + 1) % M).compare("==", 0),), (I_ % M).compare("==", M - 1), True),
    ((I_.compare("==", J),), (I_ % D).compare("==", J % D), True),
    (((I_ % M).compare("==", J % M),), I_.compare("==", J), False),
    (((I_ % M).compare("==", 0),), ((I_ // M) * M).compare("==", I_), True),
    ((I_.compare(">=", M),), (I_ % M).compare("<=", I_ - M), True),
]


@pytest.mark.parametrize(("known", "goal", "follows"), FOLLOWS, ids=map(str, range(len(FOLLOWS))))
def test_both_say_what_follows(known: tuple[Any, ...], goal: Any, follows: bool) -> None:
    """z3 answers alike from the text: what is stated there of each atom is what its own encoder states."""
    read = z3.Solver()
    read.from_string(Text((*known, not goal if isinstance(goal, bool) else ~goal)).text)
    answers = {
        "z3": Z3Solver().decide(known, goal).outcome is Outcome.FOLLOWS,
        "z3, from the text": read.check() == z3.unsat,
        "cvc5": Cvc5Solver().decide(known, goal).outcome is Outcome.FOLLOWS,
    }
    assert set(answers.values()) == {follows}, answers


@settings(max_examples=examples(60, 600), deadline=None)
@given(st.lists(questions, max_size=2), questions)
def test_the_solvers_never_disagree(hypotheses: list[Question], goal: Question) -> None:
    asked = tuple(h.formula for h in hypotheses), goal.formula
    brief = Z3Solver(resources=100_000), Cvc5Solver(ways=((5_000, {}),))
    answers = {solver.decide(*asked).outcome for solver in brief}
    assert answers - {Outcome.UNKNOWN} != {Outcome.FOLLOWS, Outcome.POSSIBLE}


def test_a_question_that_takes_too_much_work_is_unknown() -> None:
    answer = Cvc5Solver(ways=((2, {}),)).decide(((X * Y).compare("==", 7),), (X * X * Y).compare("<", 2))
    assert answer.outcome is Outcome.UNKNOWN
    assert "RESOURCEOUT" in answer.reason


@pytest.mark.parametrize("phi", [gap_phi, twice_phi], ids=lambda phi: phi.name)
def test_a_vote_on_an_entry_of_the_catalogue(phi: Alignment) -> None:
    """The second entry asks nothing but what its lemma does, whose proof is voted on too."""
    result, vote = check_with_vote(phi, effort=0)
    assert result.proved
    assert vote == Vote(agreed=vote.questions)
    assert vote.questions > 5


def test_a_first_solver_that_calls_everything_valid_is_found_out(monkeypatch, tmp_path) -> None:
    """The question is kept, and either solver refutes it as it stands there."""
    monkeypatch.setattr(Z3Solver, "_refute", lambda solver, formulas: Answer(Outcome.FOLLOWS))
    with pytest.raises(InternalError, match="two solvers disagree, so that nothing is proved here") as raised:
        check_with_vote(gap_phi, effort=0, folder=tmp_path)
    assert raised.value.exit_code == 4
    (saved,) = tmp_path.iterdir()
    assert str(saved) in str(raised.value)
    assert Cvc5Solver().answer(saved.read_text()).outcome is Outcome.POSSIBLE
    read = z3.Solver()
    read.from_string(saved.read_text())
    assert read.check() == z3.sat


def test_both_programs_ask_cvc5_where_it_is_named() -> None:
    result = check(gap_phi, effort=0, confirm=True, solver="cvc5")
    assert (result.proved, result.solver) == (True, "cvc5")
    assert str(result.opinion) == str(confirm(gap_phi, solver="cvc5")) == "confirmed for every n, by cvc5"


def test_without_cvc5_whatever_asks_it_says_what_to_install(monkeypatch) -> None:
    """It does so before anything is checked."""
    monkeypatch.setitem(sys.modules, "cvc5", None)
    said: list[str] = []
    for ask in (
        lambda: check_with_vote(gap_phi, progress=said.append),
        lambda: check(gap_phi, solver="cvc5", progress=said.append),
        lambda: confirm(gap_phi, solver="cvc5"),
    ):
        with pytest.raises(InputError, match=r"pip install 'alignkit\[verify\]'"):
            ask()
    assert said == []
