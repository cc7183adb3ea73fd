"""Invariants: found where they can be, stated where they cannot, and never believed without proof."""

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, LanguageError, Noise, Queries, Real, alignment, check, mechanism
from alignkit.results import Verdict


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


def shifts(q, q_, omega):
    return [1 + q[i] - q_[i] if w is not BELOW else 0 for i, w in enumerate(omega)]


@alignment(countdown, epsilon="eps")
def unaided(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant="left >= 1")
def aided(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant=["left >= 1", "left == left_", "left <= k"])
def more_than_needed(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant=["left >= 1", "privacy_cost <= eps / 2 + (k - left) * eps / (2 * k)"])
def with_cost(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant="left >= 2")
def false_at_the_start(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant="left == k")
def lost_by_the_loop(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant=["left >= 1", "len([x for x in q]) >= 1"])
def with_a_list(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps", invariant="left < left_")
def contradictory(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


@alignment(countdown, epsilon="eps / 100", invariant=["left >= 1", "privacy_cost <= 0"])
def wishful_about_the_cost(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


def test_without_the_invariant_the_report_says_what_was_tried():
    result = check(unaided)
    assert result.verdict is Verdict.UNDECIDED
    assert result.conditions["cost"].status is Verdict.UNDECIDED
    assert any("tried, but not kept" in note for note in result.notes)


@pytest.mark.parametrize("phi", [aided, more_than_needed, with_cost, with_a_list], ids=lambda phi: phi.name)
def test_a_stated_invariant_makes_the_proof(phi):
    result = check(phi)
    assert result.verdict is Verdict.PROVED
    assert any("left >= 1" in note for note in result.notes)


@pytest.mark.parametrize("phi", [false_at_the_start, lost_by_the_loop, contradictory], ids=lambda phi: phi.name)
def test_a_wrong_invariant_is_never_believed(phi):
    result = check(phi)
    assert result.verdict is Verdict.UNDECIDED
    assert any(c.status is Verdict.UNDECIDED and phi.invariants[0][0] in c.how for c in result.conditions.values())


def test_a_wish_about_the_cost_is_refuted():
    assert check(wishful_about_the_cost).verdict is Verdict.REFUTED


def test_an_invariant_speaks_of_locals_and_parameters_only():
    with pytest.raises(LanguageError, match="winners") as refusal:
        alignment(countdown, epsilon="eps", invariant="winners <= k")(unaided.python)
    assert "left" in str(refusal.value)


@mechanism
def reals_as_counters(q: Queries, T: Real, k: Real, eps: Epsilon, noise: Noise):
    """With k = 1/2 the first winner already passes k, and the loop stops later than a whole number would."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count > k:
            break


@alignment(reals_as_counters, epsilon="eps / 2 + k * eps / 2")
def real_bound(q, q_, omega, H):
    return H.shift(eta=1, eta_i=shifts(q, q_, omega))


def test_whole_number_steps_need_whole_numbers():
    assert check(real_bound).verdict is not Verdict.PROVED
