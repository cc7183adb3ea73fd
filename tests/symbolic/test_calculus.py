"""Derivatives, determinants and pieces, against sympy and against plain evaluation; logarithms against their bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from alignkit.errors import NotSmooth, TooManyPieces
from alignkit.plain_enclosures import log_bounds
from alignkit.running.enclosing import Enclosed, Unsettled
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.calculus import derivative, determinant, pieces, values_read
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import evaluate, holds, substitute
from alignkit.symbolic.summation import BOUND, NotASum, running_sum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver

X, Y = Symbol("x", Role.NOISE), Symbol("y", Role.NOISE)
numbers = st.builds(Fraction, st.integers(-6, 6), st.integers(1, 4))
positive = st.builds(Fraction, st.integers(1, 10**9), st.integers(1, 10**9))


@st.composite
def rational(draw, depth=3):
    """A term beside the same expression in sympy."""
    if depth == 0 or draw(st.booleans()):
        two = (Term.of(2), sympy.Integer(2))
        return draw(st.sampled_from([(Term.of(X), sympy.Symbol("x")), (Term.of(Y), sympy.Symbol("y")), two]))
    (one, one_), (other, other_) = draw(rational(depth - 1)), draw(rational(depth - 1))
    which = draw(st.sampled_from("+-*/"))
    if which == "/":
        return one / (other * other + 1), one_ / (other_**2 + 1)
    return {"+": (one + other, one_ + other_), "-": (one - other, one_ - other_), "*": (one * other, one_ * other_)}[
        which
    ]


@given(rational(), numbers, numbers)
def test_derivatives_agree_with_sympy(both, x, y):
    term, expression = both
    at = {X: x, Y: y}
    expected = sympy.diff(expression, sympy.Symbol("x")).subs(
        {"x": sympy.Rational(str(x)), "y": sympy.Rational(str(y))}
    )
    assert evaluate(derivative(term, X), at.__getitem__) == Fraction(str(expected))


@given(st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=4, max_size=4))
def test_determinants_agree_with_sympy(rows):
    expected = sympy.Matrix(4, 4, [sympy.Rational(str(x)) for row in rows for x in row]).det()
    assert determinant([[Term.of(x) for x in row] for row in rows]).constant == Fraction(str(expected))


@given(numbers, numbers)
def test_each_point_lies_on_one_piece_that_has_its_value(x, y):
    low, high = Term.of(X), Term.of(Y)
    term = abs(low) + (low - high).compare(">", 1).choose(abs(high), low * high) / 2
    at = {X: x, Y: y}.__getitem__
    own = [p for p in pieces([term]) if all(holds(c, at) for c in p.conditions)]
    assert len(own) == 1
    assert evaluate(own[0].terms[0], at) == evaluate(term, at)


def test_what_is_not_smooth_is_refused():
    for term in (Term.of(X).sqrt(), Term.of(X).exp(), Term.of(X).log(), abs(Term.of(X))):
        with pytest.raises(NotSmooth):
            derivative(term, X)
    many = [abs(Term.of(Symbol(f"x{i}", Role.NOISE))) for i in range(12)]
    with pytest.raises(TooManyPieces):
        list(pieces(many))


@given(positive)
def test_logarithms_lie_within_their_bounds(x):
    low, high = log_bounds(x)
    exact = sympy.log(sympy.Rational(x.numerator, x.denominator)).evalf(40)
    assert sympy.Rational(low.numerator, low.denominator) <= exact <= sympy.Rational(high.numerator, high.denominator)
    assert high - low < Fraction(1, 10**20)


@given(positive, positive)
def test_logarithms_add_up_within_their_bounds(x, y):
    (low, high), (low2, high2), (low3, high3) = log_bounds(x), log_bounds(y), log_bounds(x * y)
    assert low + low2 <= high3
    assert low3 <= high + high2


@given(numbers, numbers, numbers)
def test_enclosed_numbers_are_never_compared_wrongly(a, b, width):
    one, other = Enclosed(a, a + abs(width)), Enclosed.of(b)
    for relation, inside in (("<", a + abs(width) < b), (">=", a >= b)):
        try:
            assert one.compare(relation, other) == inside
        except Unsettled:
            assert a <= b <= a + abs(width)


def test_the_solver_knows_the_order_of_logarithms():
    x = Term.of(Symbol("x", Role.PRIVATE))
    small, order = x.compare("<=", 2), x.log().compare("<=", Term.of(2).log())
    assert Z3Solver().decide((small, x.compare(">", 0)), order).outcome is Outcome.FOLLOWS
    # Of a number that may be below 0 nothing is said.
    assert Z3Solver().decide((small,), order).outcome is not Outcome.FOLLOWS
    assert Z3Solver().decide((), Term.of(2).log().compare("<", Fraction(7, 10))).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((), Term.of(2).log().compare(">", Fraction(69, 100))).outcome is Outcome.FOLLOWS
    assert Z3Solver().decide((), Term.of(2).log().compare(">", Fraction(7, 10))).outcome is not Outcome.FOLLOWS
    assert Term.of(Fraction(1, 2)).log() == -Term.of(2).log()


# Sums with parameters

ANSWER, LENGTH = Term.of(Element("q", BOUND, Role.PRIVATE)), Term.of(Symbol("n", Role.PUBLIC, integer=True))


def above(number):
    """How much the first n answers exceed a number, together."""
    excess = ANSWER - number
    return running_sum(excess.compare(">", 0).choose(excess, 0), LENGTH)


def test_a_sum_is_seen_to_depend_on_its_parameters():
    moved = above(Term.of(X) + 1)
    assert X in moved.within
    assert Role.NOISE in moved.roles
    assert substitute(moved, {X: Term.of(Y)}) == above(Term.of(Y) + 1)
    assert substitute(moved, {X: Term.of(2)}) == above(Term.of(3))


def test_a_sum_that_reads_noise_has_no_derivative_by_it():
    with pytest.raises(NotSmooth):
        derivative(above(Term.of(X)), X)
    with pytest.raises(NotSmooth):
        list(values_read(above(Term.of(X))))
    assert derivative(above(Term.of(X)) + Term.of(Y), Y) == Term.of(1)


def test_the_item_of_an_outer_sum_does_not_become_that_of_the_inner_one():
    place = Symbol("i", Role.INDEX, integer=True)
    at = above(Term.of(Element("T", Term.of(place), Role.PUBLIC)))
    with pytest.raises(NotASum):
        substitute(at, {place: BOUND})
    assert substitute(at, {place: LENGTH}) == above(Term.of(Element("T", LENGTH, Role.PUBLIC)))
