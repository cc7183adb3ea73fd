"""The checker says what it does not decide, and why."""

from __future__ import annotations

import inspect
import itertools
import re
import time
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import pytest

import alignkit.limits
from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Lattice,
    Noise,
    Queries,
    Query,
    Real,
    Tag,
    alignment,
    attack,
    check,
    clamp,
    largest,
    law,
    mechanism,
    power,
    sqrt,
)
from alignkit.arithmetic.laurent_polynomials import LaurentPolynomial
from alignkit.errors import Unsupported
from alignkit.mechanisms.discrete_laplace import discrete_laplace_mechanism
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Verdict
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
    proof = prove(gap_phi, Decider(Z3Solver.of_one_check(), 1e-9), EVERY_LINE)
    assert not proof.complete
    assert all("time" in c.how for c in proof.conditions.values())


def test_a_line_that_no_run_reached_leaves_the_proof_open():
    reached = {gap_phi.mechanism.line}
    proof = prove(gap_phi, Decider(Z3Solver.of_one_check(), 60), reached)
    assert not proof.complete
    assert "no run was found" in proof.conditions["same_output"].how


@mechanism
def seldom(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if T == 31.4159:
        yield BELOW
    else:
        yield q + e


@alignment(seldom, epsilon="eps")
def seldom_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_line_that_no_run_reached_is_told_with_the_parameters_that_were_tried():
    how = check(seldom_phi, effort=0).conditions["same_output"].how
    tried = "runs were tried with T = -1, 0, 1, 2, 10; eps = 1/2, 1, 2, and no combination that was tried leads to this"
    assert how.startswith("no run was found that gives output at line")
    assert tried in how


def test_a_timeout_must_be_positive():
    with pytest.raises(InputError, match="timeout"):
        check(gap_phi, timeout=0)


def test_only_alignments_are_checked():
    with pytest.raises(InputError, match="@alignment"):
        check(gap_phi.mechanism)


@mechanism
def loop_under_a_condition(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    if T > 0:
        listed = [q_i for q_i in q]
        for x in listed:
            e = noise.laplace(1 / eps)
            yield x + e
    yield BELOW


@alignment(loop_under_a_condition, epsilon="eps", adjacency="l1")
def loop_under_a_condition_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


def test_what_is_not_covered_is_undecided_with_the_reason():
    result = check(loop_under_a_condition_phi)
    assert result.verdict is Verdict.UNDECIDED
    assert "a loop over a sequence of symbolic length" in result.conditions["same_output"].how
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


@mechanism
def selects_very_many(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    best, second = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1_000_000_000_000_000_000)
    return best


@alignment(selects_very_many, epsilon="eps")
def selects_very_many_phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])


def test_a_selection_of_very_many_is_undecided_at_once():
    result = check(selects_very_many_phi, timeout=5)
    assert result.verdict is Verdict.UNDECIDED
    assert "make k a parameter" in result.conditions["same_output"].how


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
    """k is a count, so that k < 1 never holds, and the answer that is released there never is."""
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


@mechanism
def counts_300(q: Query, eps: Epsilon, noise: Noise):
    total = 0
    for i in range(300):
        e = noise.laplace(300 / eps)
        if q + e > 0:
            total += 1
    yield total


@alignment(counts_300, epsilon="eps")
def counts_300_phi(q, q_, H):
    return H.shift(e=[q - q_ for i in range(300)])


@mechanism
def adaptive(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        a = noise.laplace(24 * k / eps)
        b = noise.laplace(24 * k / eps)
        c = noise.laplace(24 * k / eps)
        d = noise.laplace(24 * k / eps)
        e = noise.laplace(24 * k / eps)
        f = noise.laplace(24 * k / eps)
        if q_i + a - (T + eta) > 10:
            yield q_i + a - (T + eta)
            count += 1
        elif q_i + b - (T + eta) > 8:
            yield q_i + b - (T + eta)
            count += 1
        elif q_i + c - (T + eta) > 6:
            yield q_i + c - (T + eta)
            count += 1
        elif q_i + d - (T + eta) > 4:
            yield q_i + d - (T + eta)
            count += 1
        elif q_i + e - (T + eta) > 2:
            yield q_i + e - (T + eta)
            count += 1
        elif q_i + f - (T + eta) > 0:
            yield q_i + f - (T + eta)
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(adaptive, epsilon="eps")
def adaptive_phi(q, q_, omega, H):
    moved = [1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]
    return H.shift(eta=1, a=moved, b=moved, c=moved, d=moved, e=moved, f=moved)


@mechanism
def counts_for_long(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    total = 0
    for i in range(1_000_000):
        total += 1
    return q + e + total


@alignment(counts_for_long, epsilon="eps")
def counts_for_long_phi(q, q_, H):
    return H.shift(e=q - q_)


def limit(seconds: float) -> float:
    """What a limit may take, in seconds of this process: others may keep the machine busy meanwhile."""
    return 1.2 * seconds + 2


@pytest.mark.parametrize(
    "proof", [pytest.param(counts_300_phi, marks=pytest.mark.slow), counts_for_long_phi, adaptive_phi],
    ids=lambda proof: proof.name,
)  # fmt: skip
def test_a_check_keeps_to_its_timeout(proof):
    started = time.process_time()
    result = check(proof, timeout=3)
    assert time.process_time() - started < limit(3)
    assert result.verdict is not Verdict.REFUTED


@pytest.mark.parametrize(
    "mechanism_", [counts_300, pytest.param(gap_phi.mechanism, marks=pytest.mark.slow)], ids=lambda each: each.name
)
def test_an_attack_keeps_to_its_timeout(mechanism_):
    started = time.process_time()
    found = attack(mechanism_, timeout=2)
    assert time.process_time() - started < limit(2)
    assert found.loss >= 0


def hurried(monkeypatch):
    """A clock that is an hour later each time it is looked at."""
    hours = itertools.count(step=3600)
    monkeypatch.setattr(alignkit.limits, "time", SimpleNamespace(monotonic=lambda: next(hours)))


def test_no_clock_cuts_an_attack_of_a_given_effort(monkeypatch):
    calm = attack(gap_phi, effort=30)
    hurried(monkeypatch)
    assert attack(gap_phi, effort=30) == calm
    assert calm.loss > 0
    assert attack(gap_phi, effort=30, timeout=10).loss == 0


def test_what_was_not_certified_in_time_is_not_reported(monkeypatch):
    hurried(monkeypatch)
    found = attack(gap_phi, timeout=10)
    assert (found.loss, found.violates) == (0, False)


def test_an_attack_on_a_sampler_takes_an_effort_too():
    def twice_the_loss(data, size, rng):
        return data[0] + rng.laplace(scale=0.5, size=size)

    one, other = (attack(twice_the_loss, queries=1, claim=1.0, effort=300) for _ in range(2))
    assert one.loss == other.loss > 0
    assert one.samples == other.samples


def test_a_law_with_a_parameter_that_makes_huge_powers_is_refused_in_time():
    base = LaurentPolynomial.of({(1,): 1}, 1)
    started = time.process_time()
    with pytest.raises(Unsupported, match="too many terms"):
        (base + base.constant(1)) ** 10**9
    for parameters, eps in (({"delta": 10**9}, 1), ({"gamma": Fraction(1, 10**9)}, 1), ({}, Fraction(1, 10**9))):
        attack(discrete_laplace_mechanism, parameters=parameters, eps=eps, timeout=1)
    assert time.process_time() - started < 3 * limit(1)


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
    proof = prove(phi, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE)
    assert proof.conditions["same_output"].status is Verdict.UNDECIDED
    assert "(in the alignment)" in proof.conditions["same_output"].how


@alignment(uses_a_helper, epsilon="eps if eps > 0 else eps / (eps - eps)")
def never_divides_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_what_is_plainly_undefined_where_no_run_comes_is_of_no_matter():
    assert prove(never_divides_phi, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE).complete


@alignment(uses_a_helper, epsilon="eps")
def long_number_phi(q, q_, H):
    return H.shift(e=q - q_ if q < power(10, 5000) else q - q_ + 1)


def test_numbers_too_long_to_be_written_out_are_not_covered():
    result = check(long_number_phi, effort=0)
    assert result.verdict is Verdict.UNDECIDED
    assert "too long" in result.conditions["cost"].how


@mechanism
def counts_to_a_billion(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    total = 0
    for i in range(1_000_000_000):
        total += 1
    return q + e + total


@alignment(counts_to_a_billion, epsilon="eps")
def counts_to_a_billion_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_range_of_very_many_numbers_is_undecided_at_once():
    started = time.process_time()
    result = check(counts_to_a_billion_phi, timeout=60, effort=0)
    assert time.process_time() - started < limit(3)
    assert result.verdict is Verdict.UNDECIDED
    assert "a range of 1000000000 numbers, which are taken one by one" in result.conditions["cost"].how
    assert any("loop over `range(k)`" in note for note in result.notes)


@mechanism
def whole_noise_after_a_billion(q: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    total = 0
    for i in range(1_000_000_000):
        total += 1
    e = noise.discrete_laplace(1 / eps)
    return q + e + total


def test_a_law_does_not_count_to_a_billion():
    with pytest.raises(Unsupported, match="a range of 1000000000 numbers, which are taken one by one"):
        law(whole_noise_after_a_billion, q=0, eps=1)


@mechanism
def grows_without_bound(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = 2
    for i in range(60):
        x = x * x
    return q + e


@alignment(grows_without_bound, epsilon="eps")
def grows_without_bound_phi(q, q_, H):
    return H.shift(e=q - q_)


def test_a_single_run_that_never_ends_is_broken_off():
    started = time.process_time()
    result = check(grows_without_bound_phi, timeout=2, effort=0)
    assert time.process_time() - started < limit(2)
    assert result.verdict is Verdict.UNDECIDED


def steep(x):
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    x = max(x, clamp(x + 1, 0, 5)) + abs(x)
    return x


@mechanism
def has_very_many_cases(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return steep(q) + e


@alignment(has_very_many_cases, epsilon="1000000 * eps")
def has_very_many_cases_phi(q, q_, H):
    return H.shift(e=steep(q) - steep(q_))


def test_a_value_of_very_many_cases_is_undecided_at_once():
    started = time.process_time()
    result = check(has_very_many_cases_phi, timeout=60, effort=0)
    assert time.process_time() - started < limit(5)
    assert result.verdict is Verdict.UNDECIDED
    line = inspect.getsourcelines(steep)[1]
    problem = re.search(r"line (\d+): a value is too large once every name", result.conditions["same_output"].how)
    assert line < int(problem[1]) <= line + 8
    assert not any("up to " in note for note in result.notes)


@mechanism
def has_very_many_summands(q: Query, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    x = q + T + eps
    for i in range(12):
        x = x * x
    return x + e


@alignment(has_very_many_summands, epsilon="eps")
def has_very_many_summands_phi(H):
    return H.shift(e=0)


def test_a_product_of_very_many_summands_is_not_covered():
    proof = prove(has_very_many_summands_phi, Decider(Z3Solver.of_one_check(), 60), EVERY_LINE)
    assert "a product of sums has too many summands" in proof.conditions["same_output"].how
