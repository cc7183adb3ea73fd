"""What the checker does not decide it says, and why."""

from __future__ import annotations

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Noise,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    check,
    mechanism,
    power,
    sqrt,
)
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proving.deciding import Decider
from alignkit.proving.prove import prove
from alignkit.proving.verdict import Verdict
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_solver import Z3Solver

EVERY_LINE = range(10_000)


class Ignorant:
    """A solver that never knows."""

    name = "ignorant"

    def decide(self, hypotheses, goal):
        return Answer(Outcome.UNKNOWN, reason="no idea")

    def satisfiable(self, hypotheses):
        return Answer(Outcome.UNKNOWN, reason="no idea")


def test_unknown_is_never_proved():
    proof = prove(gap_phi, Decider(lambda seconds: Ignorant(), 60), EVERY_LINE)
    assert not proof.complete
    assert "no idea" in proof.conditions["cost"].how


def test_out_of_time_is_never_proved():
    proof = prove(gap_phi, Decider(Z3Solver, 1e-9), EVERY_LINE)
    assert not proof.complete
    assert all("time" in c.how for c in proof.conditions.values())


def test_a_line_that_no_run_reached_leaves_the_proof_open():
    reached = {gap_phi.mechanism.line}
    proof = prove(gap_phi, Decider(Z3Solver, 60), reached)
    assert not proof.complete
    assert "no run was found" in proof.conditions["same_output"].how


def test_a_timeout_must_be_positive():
    with pytest.raises(InputError, match="timeout"):
        check(gap_phi, timeout=0)


def test_only_alignments_are_checked():
    with pytest.raises(InputError, match="@alignment"):
        check(gap_phi.mechanism)


@mechanism
def two_loops(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    for q_i in q:
        yield BELOW


@alignment(two_loops, epsilon="eps", adjacency="l1")
def two_loops_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


def test_what_is_not_covered_is_undecided_with_the_reason():
    result = check(two_loops_phi)
    assert result.verdict is Verdict.UNDECIDED
    assert "a second loop" in result.conditions["same_output"].how
    assert any("no counterexample in 240 adjacent pairs" in note for note in result.notes)
    assert set(result.scope.values()) == {"none"}


TIE = Tag("TIE")


@mechanism
def a_tie_shows(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if q + e > T:
        yield ABOVE
    elif q + e == T:
        yield TIE
    else:
        yield BELOW


@alignment(a_tie_shows, epsilon="eps")
def ignores_ties(omega, H):
    return H.shift(e=1 if omega[0] is ABOVE else -1)


def test_a_tie_of_probability_zero_refutes_nothing():
    assert check(ignores_ties).verdict is not Verdict.REFUTED


@mechanism
def empty_above(q: Query, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if k < 1:
        yield q
    else:
        yield q + e


@alignment(empty_above, epsilon="eps")
def impossible_branch(q, q_, H):
    return H.shift(e=q - q_)


def test_a_branch_that_is_impossible_does_no_harm():
    """k is a count: that k < 1 never happens is a fact, and the answer released there is never released."""
    assert check(impossible_branch).verdict is Verdict.PROVED


def helper(x):
    return x


@mechanism
def uses_a_helper(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return helper(q + e)


@alignment(uses_a_helper, epsilon="eps")
def uses_a_helper_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_helper_that_was_replaced_is_noticed(monkeypatch):
    assert check(uses_a_helper_phi).verdict is Verdict.PROVED
    monkeypatch.setitem(uses_a_helper.python.__globals__, "helper", lambda x: 2 * x)
    with pytest.raises(LanguageError, match="has been replaced"):
        check(uses_a_helper_phi)


@alignment(uses_a_helper, epsilon="eps")
def divides_by_nothing_phi(q, q_, eps, H):
    return H.shift(e=q - q_ + (1 / (eps - eps) if eps > 5 else 0))


@alignment(uses_a_helper, epsilon="eps")
def root_of_less_phi(q, q_, eps, H):
    return H.shift(e=q - q_ + (sqrt(0 - 1) if eps > 5 else 0))


@alignment(uses_a_helper, epsilon="eps")
def power_of_nothing_phi(q, q_, eps, H):
    return H.shift(e=q - q_ + (power(0, 0 - 1) if eps > 5 else 0))


@pytest.mark.parametrize("phi", [divides_by_nothing_phi, root_of_less_phi, power_of_nothing_phi])
def test_what_is_plainly_undefined_under_a_condition_is_not_proved(phi):
    proof = prove(phi, Decider(Z3Solver, 60), EVERY_LINE)
    assert proof.conditions["same_output"].status is Verdict.UNDECIDED
    assert "(in the alignment)" in proof.conditions["same_output"].how


@alignment(uses_a_helper, epsilon="eps if eps > 0 else eps / (eps - eps)")
def never_divides_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_what_is_plainly_undefined_where_no_run_comes_is_of_no_matter():
    assert prove(never_divides_phi, Decider(Z3Solver, 60), EVERY_LINE).complete


@alignment(uses_a_helper, epsilon="eps")
def long_number_phi(q, q_, H):
    return H.shift(e=q - q_ if q < power(10, 5000) else q - q_ + 1)


def test_numbers_too_long_to_be_written_out_are_not_covered():
    result = check(long_number_phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    assert "too long" in result.conditions["cost"].how
