"""Where a loop's invariants do not suffice for the proof, the report says what was tried and what is missing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.defining import define_in

from alignkit import Alignment, check
from alignkit.proving.deciding import Decider
from alignkit.proving.proof import prove
from alignkit.results import Result, Verdict
from alignkit.symbolic.z3_solver import Z3Solver

COUNTDOWN = """
@mechanism
def countdown(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    left = k
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            left = left - 1
        else:
            yield BELOW
        over = left == 0
        if over:
            break

@alignment(countdown, epsilon="eps"{more})
def phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)])
"""

TELESCOPE = """
@mechanism
def telescope(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace((i + 1) * (i + 2) / eps)
        yield q_i + e

@alignment(telescope, epsilon="eps"{more})
def phi(q, q_, omega, H):
    return H.shift(e=[q[i] - q_[i] for i, w in enumerate(omega)])
"""

LARGEST_SO_FAR = """
@mechanism
def largest_so_far(q: Queries, eps: Epsilon, noise: Noise):
    top = q[0]
    for q_i in q:
        top = max(top, q_i)
    e = noise.laplace(1 / eps)
    yield top + e

@alignment(largest_so_far, epsilon="eps"{more})
def phi(q, q_, omega, H):
    return H.shift(e=max(q) - max(q_))
"""


@pytest.fixture
def define(tmp_path) -> Callable[..., Alignment]:
    return lambda source, more="": define_in(tmp_path, source.format(more=more)).phi


def missing(result: Result) -> list[str]:
    start = "missing at the head of the loop: "
    return [note.removeprefix(start) for note in result.notes if note.startswith(start)]


def test_a_counter_that_nothing_bounds(define) -> None:
    result = check(define(COUNTDOWN))
    assert result.verdict is Verdict.UNDECIDED
    assert any(n == "tried, but not kept by the loop: left >= left before the loop" for n in result.notes)
    [note] = missing(result)
    assert note.startswith("a bound on left, so that the bound on the cost implies the claim")
    assert '@alignment(..., invariant="left >= ...")' in note
    cost = result.conditions["cost"].how
    assert "not shown: the shifts cost at most eps (for example k = " in cost
    assert cost.endswith("such a state may be unreachable)")


def test_what_was_missing_makes_the_proof(define) -> None:
    result = check(define(COUNTDOWN, ', invariant="left >= 1"'))
    assert result.verdict is Verdict.PROVED
    assert missing(result) == []


def test_a_cost_that_no_counter_bounds(define) -> None:
    result = check(define(TELESCOPE))
    assert result.verdict is Verdict.UNDECIDED
    [note] = missing(result)
    assert note.startswith("a bound on the cost in terms of rounds, the number of iterations that are over; state one")
    assert 'invariant="privacy_cost <= ..."' in note


def test_a_variable_that_differs_on_the_two_databases(define) -> None:
    result = check(define(LARGEST_SO_FAR))
    assert result.verdict is Verdict.UNDECIDED
    assert any(note.startswith("tried, but not kept by the loop: top is equal on D and D'") for note in result.notes)
    assert "a relation between the values of top on D and on D'; " in "\n".join(missing(result))


UP_TO_NINE = """
@mechanism
def up_to_nine(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            count = count + 1
            if count == 9 * k:
                break
        else:
            yield BELOW

@alignment(up_to_nine, epsilon="4 * eps"{more})
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu=[2 if w is ABOVE else 0 for w in omega])
"""


def test_what_is_known_is_not_asked_for_again(define) -> None:
    [note] = missing(check(define(UP_TO_NINE), effort=0))
    assert note.startswith("a bound on count that is closer than `not (count == 9 * k)` and `count <= 9 * k`, so that")
    assert note.endswith('invariant="count <= ..."), or claim more')
    [note] = missing(check(define(LARGEST_SO_FAR, ', invariant="top_ - top <= 1"'), effort=0))
    assert note.startswith("a relation that is closer than `top_ - top <= 1` between the values of top on D and on D'")


CLAMPED = """
@mechanism
def clamped(q: Queries, low: Real, high: Real, eps: Epsilon, noise: Noise):
    total = 0
    for x in q:
        if x < low:
            total = total + low
        elif x > high:
            total = total + high
        else:
            total = total + x
    e = noise.laplace((high - low) / eps)
    return total + e

@alignment(clamped, epsilon="eps", adjacency="one"{more})
def phi(q, q_, low, high, H):
    return H.shift(e=sum(clamp(x, low, high) for x in q) - sum(clamp(x, low, high) for x in q_))
"""


def test_an_invariant_does_not_help_against_public_values(define) -> None:
    assert check(define(CLAMPED), effort=0).proved  # its scale is above 0 only where low < high
    phi = define(CLAMPED.replace("(high - low)", "abs(high - low)"))
    proof = prove(phi, Decider(Z3Solver.of_one_check(), 60), range(1000), {})
    assert "not shown: clamp needs low <= high (in the alignment)" in proof.conditions["same_output"].how
    assert not any(note.startswith("missing at the head of the loop") for note in proof.notes)
