"""Terms: arithmetic, normal form and comparisons against Python's Fractions."""

from __future__ import annotations

from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples

from alignkit.errors import TooLarge
from alignkit.symbolic.atoms import Inverse, Symbol, common
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.substitution import answered, evaluate, holds, substitute
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from tests.symbolic.conftest import (
    ATOMS,
    K,
    Number,
    P,
    Question,
    Values,
    X,
    assignments,
    defined,
    lookup,
    numbers,
    plain_numbers,
    questions,
)

MANY = settings(max_examples=examples(100, 600), deadline=None)


@MANY
@given(numbers, assignments)
def test_a_term_has_the_value_of_the_expression_it_was_built_from(number: Number, values: Values) -> None:
    assume(defined(number.value, values))
    assert evaluate(Term.of(number.term), lookup(values)) == number.value(values)


@MANY
@given(questions, assignments)
def test_a_condition_is_true_where_the_expression_is(question: Question, values: Values) -> None:
    """Multiplied denominators, tightened integers and conditions that were read off included."""
    assume(defined(question.truth, values))
    assert holds(question.formula, lookup(values)) == question.truth(values)


@MANY
@given(questions, assignments)
def test_exactly_one_of_a_condition_and_its_negation_holds(question: Question, values: Values) -> None:
    assume(defined(question.truth, values) and not isinstance(question.formula, bool))
    opposite = ~question.formula
    assert holds(question.formula, lookup(values)) != holds(opposite, lookup(values))


@MANY
@given(numbers, assignments)
def test_the_sign_and_the_wholeness_that_are_read_off_are_right(number: Number, values: Values) -> None:
    assume(defined(number.value, values))
    term, value = Term.of(number.term), number.value(values)
    if term.sign is not None:
        assert (value > 0) - (value < 0) == term.sign
    if term.constant is not None:
        assert value == term.constant
    if term.integer:
        assert value.denominator == 1


@MANY
@given(numbers, numbers, assignments)
def test_terms_of_one_key_have_one_value(one: Number, other: Number, values: Values) -> None:
    assume(defined(one.value, values) and defined(other.value, values))
    if Term.of(one.term) == Term.of(other.term):
        assert one.value(values) == other.value(values)


@MANY
@given(numbers, st.sampled_from(ATOMS[:6]), plain_numbers, assignments)
def test_a_substituted_term_has_the_moved_value(number: Number, atom: Symbol, by: Number, values: Values) -> None:
    """Replacing x by t and evaluating is evaluating where x is t; facts about the atom must hold of t as well."""
    value = by.value(values)
    assume(not atom.positive or value > 0)
    assume(not atom.integer or value.denominator == 1)
    moved = {**values, atom.name: value}
    assume(defined(number.value, moved))
    try:
        replaced = substitute(Term.of(number.term), {atom: by.term})
    except ZeroDivisionError:
        return  # a branch that is not taken divides by the plain number 0
    try:
        assert evaluate(replaced, lookup(values)) == number.value(moved)
    except ZeroDivisionError:
        pass


@given(numbers)
def test_a_common_factor_divides_every_part(number: Number) -> None:
    term = Term.of(number.term)
    factor = dict(common(term.parts))
    for monomial in term.parts:
        powers = dict(monomial)
        assert all(powers.get(atom, 0) >= n for atom, n in factor.items())


def test_symbols_of_different_roles_are_different() -> None:
    """A draw or a loop variable may have the name of a parameter."""
    terms = [Term.of(Symbol("n", role)) for role in Role if role is not Role.PRIVATE]
    assert len({t.key for t in terms}) == len(terms)


def test_whole_numbers_step_by_one_and_others_do_not() -> None:
    """With k = 1/2 the step would hide k < 1."""
    whole, real = Term.of(K), Term.of(P)
    assert whole.compare("<", 1) is False or not holds(whole.compare("<", 1), lambda _: Fraction(1))
    assert holds(real.compare("<", 1), lambda _: Fraction(1, 2))
    assert (whole / 2).compare("<", 1) is not False
    assert holds((whole / 2).compare("<", 1), lambda _: Fraction(1))
    assert not holds((whole / 2).compare("<", 1), lambda _: Fraction(2))


def test_an_odd_number_is_never_0_only_where_it_is_whole() -> None:
    m = Term.of(Symbol("m", Role.INDEX, integer=True))
    assert (2 * m + 1).compare("==", 0) is False
    assert (2 * Term.of(X) + 1).compare("==", 0) is not False
    assert (m / 2 + 1).compare("==", 0) is not False
    assert (3 * m + 2 * m + 1).compare("==", 0) is False
    assert (3 * m + 2 * Term.of(K) + 1).compare("==", 0) is not False


def test_an_inverse_of_unknown_sign_keeps_the_relation() -> None:
    x = Term.of(X)
    below = (1 / (x - 1)).compare("<", 1)
    for value in (Fraction(0), Fraction(1, 2), Fraction(3, 2), Fraction(2), Fraction(3)):
        assert holds(below, lambda _, v=value: v) == (1 / (value - 1) < 1)
    squared = (1 / x).compare("<", x)
    for value in (Fraction(-2), Fraction(-1, 2), Fraction(1, 2), Fraction(1), Fraction(2)):
        assert holds(squared, lambda _, v=value: v) == (1 / value < value)


def test_a_negative_inverse_flips_the_relation() -> None:
    """The sign of 1 / (-p - 1) is known, and odd powers of it turn the relation round."""
    p = Term.of(P)
    inverse = Term.of(Inverse(-p - 1))
    for power in (1, 2, 3):
        term = Term.of(1)
        for _ in range(power):
            term = term * inverse
        question = (term * (p - 2)).compare("<", p)
        for value in (Fraction(1, 2), Fraction(2), Fraction(5)):
            expected = (1 / (-value - 1)) ** power * (value - 2) < value
            assert holds(question, lambda _, v=value: v) == expected


def test_the_size_of_what_has_a_sign_is_a_term() -> None:
    """The sign of 1 / (p + 1) is found by a comparison only."""
    p = Term.of(P)
    for term in (1 / (p + 1), -1 / (p + 1), (p + 2) / (p + 1)):
        for value in (Fraction(1, 2), Fraction(3)):
            expected = abs(evaluate(term, lambda _, v=value: v))
            assert evaluate(abs(term), lambda _, v=value: v) == expected


def _inside(value: object) -> set[object]:
    """The atoms of a term or formula, read off its pieces one by one."""
    found: set[object] = set()
    terms = [value] if isinstance(value, Term) else [each.term for each in value.comparisons()]  # type: ignore[attr-defined]
    for term in terms:
        for atom in term.atoms():
            found.add(atom)
            for part in atom.children:
                found |= _inside(part)
    return found


@MANY
@given(questions)
def test_what_a_condition_mentions_is_what_its_pieces_are(question: Question) -> None:
    assume(not isinstance(question.formula, bool))
    within = question.formula.within
    assert set(within) == _inside(question.formula)
    assert len(within) == len(set(within))


def test_symbols_that_share_a_name_are_not_taken_for_one() -> None:
    whole, real = Symbol("x", Role.PUBLIC, integer=True), Symbol("x", Role.PRIVATE)
    assert set((Term.of(whole) + Term.of(real) * 2).within) == {whole, real}
    assert (Term.of(whole) + Term.of(real) * 2).roles == {Role.PUBLIC, Role.PRIVATE}


def test_unknown_booleans_are_answered_wherever_they_stand() -> None:
    up, x = Unknown("up"), Term.of(Symbol("x", Role.PUBLIC))
    step = up.choose(1, -1)
    for made in (lambda n: 1 / (x + n), lambda n: (x + n).compare("<", 0), lambda n: (x * n).exp()):
        for answer, number in ((True, 1), (False, -1)):
            assert answered(made(step), {"up": answer}) == made(number)
            assert answered(made(step), {"down": answer}) == made(step)
    assert answered(up & x.compare("<", 0), {"up": False}) is False
    assert answered(~up | x.compare("<", 0), {"up": False}) is True


def test_a_term_of_very_many_cases_is_too_large_before_it_fills_the_memory() -> None:
    x = Term.of(Symbol("x", Role.PRIVATE))
    with pytest.raises(TooLarge, match="nest fewer of abs, clamp, max, min"):
        reduce(lambda term, step: abs(term) - abs(term - step), range(1, 1000), x)


def test_a_condition_of_very_many_parts_is_too_large_before_it_fills_the_memory() -> None:
    one, other = (Term.of(Symbol(name, Role.PRIVATE)).compare("<", 0) for name in "xy")
    with pytest.raises(TooLarge):
        reduce(lambda condition, _: (condition & other) | (~condition & ~other), range(1000), one)


def test_a_product_of_very_many_summands_is_too_large() -> None:
    x = sum((Term.of(Symbol(name, Role.PRIVATE)) for name in "xyz"), Term.of(1))
    with pytest.raises(TooLarge, match="too many summands"):
        reduce(lambda term, _: term * term, range(1000), x)
