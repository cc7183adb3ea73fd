"""Public whole numbers that are equal on some paths, and divisions by their difference that are never made there."""

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Query, alignment, check, largest, mechanism
from alignkit.results import Verdict


@mechanism
def equal_later(q: Query, c: Count, k: Count, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    s = 1 / (c - k) if c != k else 1
    if q + x + s > 0:
        yield ABOVE
    else:
        yield BELOW
    if c == k:
        yield ABOVE


@alignment(equal_later, epsilon="eps")
def later_phi(q, q_, omega, H):
    return H.shift(x=q - q_)


@mechanism
def equal_in_turn(q: Query, c: Count, k: Count, n: Count, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if c == n:
        if n == k:
            s = 1 / (c - k) if c != k else 1
            if q + x + s > 0:
                yield ABOVE
            else:
                yield BELOW


@alignment(equal_in_turn, epsilon="eps")
def in_turn_phi(q, q_, omega, H):
    return H.shift(x=q - q_)


@mechanism
def undefined_if_equal(q: Query, c: Count, k: Count, n: Count, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if c == n:
        if n == k:
            s = 1 / (c - k)
            if q + x + s > 0:
                yield ABOVE
            else:
                yield BELOW
    else:
        yield BELOW


@alignment(undefined_if_equal, epsilon="eps")
def undefined_phi(q, q_, omega, H):
    return H.shift(x=q - q_)


@mechanism
def best(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (b,) = largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], 1)
    return b


@alignment(best, epsilon="eps")
def dividing_phi(q, q_, omega, H):
    apart = max(1 / (i - omega) if i != omega else 0 for i in range(len(q)))
    return H.shift(eta=[1 + q[i] - q_[i] + apart - apart if i == omega else 0 for i in range(len(q))])


@pytest.mark.parametrize("phi", [later_phi, in_turn_phi, undefined_phi], ids=lambda phi: phi.name)
def test_a_division_that_is_not_made_is_no_matter(phi):
    assert check(phi, effort=0).verdict is Verdict.PROVED


def test_an_element_that_would_divide_by_zero_at_the_winner_says_nothing_there():
    result = check(dividing_phi, effort=0)
    assert result.verdict is Verdict.PROVED, [c for c in result.conditions.values() if c.status is not Verdict.PROVED]


def test_what_equal_numbers_decide_is_not_lost():
    """Where c == k the output tells the answer: the path must not go missing with the branch that is not taken."""

    @mechanism
    def leaks_if_equal(q: Query, c: Count, k: Count, eps: Epsilon, noise: Noise):
        x = noise.laplace(1 / eps)
        if c == k:
            if c - k == 0 and q > 0:
                yield ABOVE
        if q + x > 0:
            yield BELOW

    @alignment(leaks_if_equal, epsilon="eps")
    def leaking_phi(q, q_, omega, H):
        return H.shift(x=q - q_)

    assert check(leaking_phi, effort=0).verdict is Verdict.REFUTED
