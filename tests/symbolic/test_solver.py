"""The encoder and the solver against plain evaluation: FOLLOWS is never contradicted by an assignment."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from fractions import Fraction

import pytest
import z3
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown, disjunction
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import holds
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_encoder import Encoder
from alignkit.symbolic.z3_solver import Z3Solver
from tests.symbolic.conftest import ATOMS, K, P, Question, Values, X, assignments, defined, lookup, questions

SOME = settings(max_examples=examples(80, 250), deadline=None)


@SOME
@given(questions, assignments)
def test_the_encoded_formula_has_the_value_of_the_condition(question: Question, values: Values) -> None:
    """Every atom is pinned to its value; the formula with its definitions is then satisfiable just if it holds."""
    assume(defined(question.truth, values) and not isinstance(question.formula, bool))
    encoder = Encoder()
    solver = z3.SolverFor("QF_NRA", ctx=encoder.context)
    solver.add([formula for formula, _ in encoder.question([question.formula])])
    read = lookup(values)
    for atom in [a for a in question.formula.within if isinstance(a, Symbol | Element)]:
        value = read(atom)
        solver.add(encoder.atom(atom) == z3.RealVal(f"{value.numerator}/{value.denominator}", encoder.context))
    result = solver.check()
    assume(result != z3.unknown)
    assert (result == z3.sat) == question.truth(values)


@SOME
@given(st.lists(questions, max_size=3), questions, st.lists(assignments, min_size=8, max_size=8))
def test_no_assignment_contradicts_a_proof(hypotheses: list[Question], goal: Question, cases: list[Values]) -> None:
    answer = Z3Solver(seconds=2).decide(tuple(h.formula for h in hypotheses), goal.formula)
    if answer.outcome is not Outcome.FOLLOWS:
        return
    for values in cases:
        if not all(defined(q.truth, values) for q in (*hypotheses, goal)):
            continue
        if all(h.truth(values) for h in hypotheses):
            assert goal.truth(values), (hypotheses, goal, values)


@SOME
@given(st.lists(questions, min_size=1, max_size=3), st.lists(assignments, min_size=8, max_size=8))
def test_no_assignment_satisfies_a_contradiction(hypotheses: list[Question], cases: list[Values]) -> None:
    answer = Z3Solver(seconds=2).satisfiable(tuple(h.formula for h in hypotheses))
    if answer.outcome is not Outcome.FOLLOWS:
        return
    for values in cases:
        if all(defined(q.truth, values) for q in hypotheses):
            assert not all(h.truth(values) for h in hypotheses)


@SOME
@given(questions, questions)
def test_a_model_satisfies_what_it_is_a_model_of(hypothesis: Question, goal: Question) -> None:
    """An exact model makes the hypothesis true and the goal false, in plain evaluation."""
    answer = Z3Solver(seconds=2).decide((hypothesis.formula,), goal.formula)
    if answer.outcome is not Outcome.POSSIBLE or not answer.exact:
        return
    try:
        held = holds(hypothesis.formula, lambda atom: answer.model.get(atom.key, Fraction(1)))
        reached = holds(goal.formula, lambda atom: answer.model.get(atom.key, Fraction(1)))
    except ZeroDivisionError:
        return  # a term is undefined there: whoever divides is obliged to exclude it
    assert held
    assert not reached


def test_without_hypotheses_nothing_false_follows() -> None:
    solver = Z3Solver()
    for atom in ATOMS:
        assert solver.decide((), Term.of(atom).compare("==", 5)).outcome is Outcome.POSSIBLE
    assert solver.decide((), False).outcome is Outcome.POSSIBLE
    assert solver.satisfiable(()).outcome is Outcome.POSSIBLE


def test_atoms_of_one_name_and_different_roles_are_not_equal() -> None:
    """Or a draw called like a parameter would have its value."""
    solver = Z3Solver()
    for one in Role:
        for other in Role:
            # Parameters, public and private, have different names in one mechanism.
            if one is other or {one, other} == {Role.PUBLIC, Role.PRIVATE}:
                continue
            same = (Term.of(Symbol("n", one)) - Term.of(Symbol("n", other))).compare("==", 0)
            assert solver.decide((), same).outcome is Outcome.POSSIBLE, (one, other)


def test_elements_are_equal_at_equal_indices_and_free_at_others() -> None:
    i, j = (Term.of(Symbol(n, Role.INDEX, integer=True)) for n in "ij")
    a_i, a_j = (Term.of(Element("a", x, Role.PRIVATE)) for x in (i, j))
    solver = Z3Solver()
    same = a_i.compare("==", a_j)
    assert solver.decide((i.compare("==", j),), same).outcome is Outcome.FOLLOWS
    assert solver.decide((i.compare("<", j),), same).outcome is Outcome.POSSIBLE
    assert solver.decide((), same).outcome is Outcome.POSSIBLE
    other = Term.of(Element("b", j, Role.PRIVATE))
    assert solver.decide((i.compare("==", j),), a_i.compare("==", other)).outcome is Outcome.POSSIBLE


def test_a_division_under_a_condition_does_not_rule_the_0_out() -> None:
    """Python does not divide where the condition fails, so that 0 stays possible there."""
    x = Term.of(X)
    zero = x.compare("==", 0)
    quotient = (1 / (x * x + x)).compare("!=", 7)
    assert Z3Solver().satisfiable((zero, zero | quotient)).outcome is Outcome.POSSIBLE
    chosen = x.compare("!=", 0).choose(1 / x, 3)
    assert Z3Solver().satisfiable((zero, chosen.compare(">", 2))).outcome is Outcome.POSSIBLE
    assert Z3Solver().decide((zero,), chosen.compare("==", 3)).outcome is Outcome.FOLLOWS


def test_real_numbers_have_no_integer_steps() -> None:
    """With k: Real and k = 1/2 a step would hide the path."""
    half = Term.of(P)
    between = (half.compare(">", 0), half.compare("<", 1))
    assert Z3Solver().satisfiable(between).outcome is Outcome.POSSIBLE
    whole = Term.of(K)
    assert Z3Solver().decide((whole.compare(">", 1),), whole.compare(">=", 2)).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((half.compare(">", 1),), half.compare(">=", 2)).outcome is Outcome.POSSIBLE


def test_an_unknown_answer_is_not_valid() -> None:
    """Two resource units are too few for anything."""
    x, y = Term.of(X), Term.of(P)
    hard = (x * x * x - y * y * x + 3).compare("!=", x * y * y * y - 2)
    answer = Z3Solver(resources=2).decide(((x * y).compare("==", 7),), hard)
    assert answer.outcome is not Outcome.FOLLOWS


def test_an_unknown_boolean_is_free() -> None:
    asked = Unknown("omega[3] is BELOW")
    solver = Z3Solver()
    assert solver.decide((), asked).outcome is Outcome.POSSIBLE
    assert solver.decide((), ~asked).outcome is Outcome.POSSIBLE
    assert solver.decide((asked,), ~~asked).outcome is Outcome.FOLLOWS
    assert solver.satisfiable((asked, ~asked)).outcome is Outcome.FOLLOWS


def too_many_pigeons():
    """More than there are holes for, which takes a solver long to see."""
    holes = range(8)
    pigeons = [[Unknown(f"{pigeon} in {hole}") for hole in holes] for pigeon in range(9)]
    housed = [disjunction(tuple(pigeon)) for pigeon in pigeons]
    apart = [disjunction((~a[h], ~b[h])) for a, b in itertools.combinations(pigeons, 2) for h in holes]
    return (*housed, *apart)


def test_an_interrupt_is_raised_and_is_no_answer():
    """Ctrl-C while z3 works on a linear question ends the check, and is not taken for a limit that was reached."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    late = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    try:
        late.start()
        with pytest.raises(KeyboardInterrupt):
            Z3Solver(seconds=60).satisfiable(too_many_pigeons())
    finally:
        late.join()
        signal.signal(signal.SIGINT, before)


def test_a_timeout_is_given_as_the_reason():
    answer = Z3Solver(seconds=0.1).satisfiable(too_many_pigeons())
    assert (answer.outcome, answer.reason) == (Outcome.UNKNOWN, "timeout")
