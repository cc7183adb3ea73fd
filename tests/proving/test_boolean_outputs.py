"""Booleans as outputs: an alignment asks them as it would ask for a tag."""

from __future__ import annotations

import pytest

from alignkit import BELOW, Count, Epsilon, LanguageError, Noise, Queries, Real, alignment, check, mechanism
from alignkit.results import Verdict


@mechanism
def above_or_not(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield True
            count += 1
        else:
            yield False
        if count >= k:
            break


@alignment(above_or_not, epsilon="eps")
def asked_phi(omega, H):
    return H.shift(eta=1, eta_i=[2 if w else 0 for w in omega])


@alignment(above_or_not, epsilon="eps")
def negated_phi(omega, H):
    return H.shift(eta=1, eta_i=[0 if not w else 2 for w in omega])


@alignment(above_or_not, epsilon="eps")
def by_index_phi(omega, H):
    return H.shift(eta=1, eta_i=[2 if omega[i] else 0 for i in range(len(omega))])


@alignment(above_or_not, epsilon="eps")
def any_of_them_phi(omega, H):
    return H.shift(eta=1 if any(omega) else 1, eta_i=[2 if w else 0 for w in omega])  # noqa: RUF034


@alignment(above_or_not, epsilon="eps")
def losers_phi(omega, H):
    """Wrong: the winners stay where they are."""
    return H.shift(eta=1, eta_i=[0 if w else 2 for w in omega])


@alignment(above_or_not, epsilon="eps")
def any_winner_phi(omega, H):
    """Wrong: without a winner the threshold stays, and a loser may rise above it."""
    return H.shift(eta=1 if any(omega) else 0, eta_i=[2 if w else 0 for w in omega])


@mechanism
def above_by_how_much(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield True, gap
            count += 1
        else:
            yield False, 0
        if count >= k:
            break


@alignment(above_by_how_much, epsilon="eps")
def part_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if w[0] else 0 for i, w in enumerate(omega)])


@alignment(above_by_how_much, epsilon="eps")
def unpacked_phi(q, q_, omega, H):
    return H.shift(eta=1, eta_i=[1 + q[i] - q_[i] if won else 0 for i, (won, gap) in enumerate(omega)])


@mechanism
def above_or_a_tag(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield True
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@alignment(above_or_a_tag, epsilon="eps")
def a_tag_as_condition_phi(omega, H):
    """Wrong: a tag is no condition, and some outputs are tags."""
    return H.shift(eta=1, eta_i=[2 if w else 0 for w in omega])


@pytest.mark.parametrize(
    "phi", [asked_phi, negated_phi, by_index_phi, any_of_them_phi, part_phi, unpacked_phi], ids=lambda phi: phi.name
)
def test_booleans_may_be_asked(phi):
    assert check(phi, effort=0).verdict is Verdict.PROVED


@pytest.mark.parametrize("phi", [losers_phi, any_winner_phi], ids=lambda phi: phi.name)
def test_what_is_wrong_of_booleans_is_not_proved(phi):
    assert check(phi, effort=0).verdict is Verdict.REFUTED


def test_a_tag_is_no_condition():
    with pytest.raises(LanguageError, match="the tag BELOW is used as a condition"):
        check(a_tag_as_condition_phi, effort=0)
