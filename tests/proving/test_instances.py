"""An instance made by substitution says what the fact says at that index."""

from __future__ import annotations

import pytest

from alignkit.proving.facts.universals import OTHER, PROBE, Instances, Quantifier, Universal
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import Unknown
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

N = Term.of(Symbol("n", Role.PUBLIC, integer=True))
BEST = Term.of(Symbol("best", Role.INDEX, integer=True))


def noisy(index: Term) -> Term:
    return Term.of(Element("q", index, Role.PRIVATE)) + Term.of(Element("eta", index, Role.NOISE))


def below(index: Term):
    """A filtered index is not above the best one."""
    shifted = index.compare("==", 0).choose(N, noisy(index - 1)) if index.constant is None else noisy(index - 1)
    return index.compare("<", 0) | shifted.compare("<=", noisy(BEST))


def apart(one: Term, other: Term):
    return one.compare("==", other) | (noisy(one) - noisy(other)).compare("!=", 0)


@pytest.mark.parametrize("index", [BEST, BEST + 1, N, Term.of(3)], ids=str)
def test_an_instance_is_the_fact_evaluated_at_the_index(index):
    made = Instances().of(below(PROBE), index)
    assert made == below(index)


@pytest.mark.parametrize("other", [BEST + 1, N, Term.of(3)], ids=str)
def test_an_instance_of_a_fact_about_two_indices_is_the_fact_at_these(other):
    assert Instances().of(apart(PROBE, OTHER), BEST, other) == apart(BEST, other)


def test_a_fact_about_two_indices_is_settled_where_they_are_the_same():
    assert Instances().of(apart(PROBE, OTHER), BEST, BEST) is True


def test_two_indices_may_be_exchanged():
    """The one that comes in for the other is not replaced in its turn."""
    assert Instances().of(apart(PROBE, OTHER), OTHER, PROBE + 1) is None
    one, other = Term.of(Symbol("i", Role.INDEX, integer=True)), Term.of(Symbol("j", Role.INDEX, integer=True))
    assert Instances().of(apart(PROBE, OTHER), other, one) == apart(other, one)


@pytest.mark.parametrize("make", [
    lambda i: Unknown(f"omega[{i.key}] is BELOW"),
    lambda i: Term.of(Symbol(f"sum(q[{i.key}])", Role.UNKNOWN)).compare("<=", noisy(i)),
    lambda i: Term.of(Symbol(f"omega[{i.key}]", Role.OUTPUT)).compare(">=", 0),
], ids=["unknown", "sum", "output"])  # fmt: skip
def test_what_depends_on_the_index_by_name_is_evaluated_at_the_index(make):
    """Substituted, it would say of every index what is said of one."""
    shared = Instances()
    assert shared.of(make(PROBE), BEST) is None
    fact = Universal.of(Quantifier.POSITION, make)
    assert fact.at((BEST,), (BEST.key,), shared) == make(BEST)
