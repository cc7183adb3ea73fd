"""Loops and selections one after another, and what a loop computes: each draw goes with its own part of the output."""

from __future__ import annotations

import pytest

from alignkit import ABOVE, BELOW, Epsilon, Noise, Positive, Queries, Real, clamp, find, largest, mechanism


@mechanism
def clamped_in_a_loop(q: Queries, c: Positive, eps: Epsilon, noise: Noise):
    total = 0
    for x in q:
        total = total + clamp(x, 0, c)
    e = noise.laplace(c / eps)
    return total + e


@mechanism
def clamped_one_by_one(q: Queries, c: Positive, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.laplace(c / eps)
        yield clamp(x, 0, c) + e


@mechanism
def largest_answer(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return max(q) + e


@mechanism
def noisy_min_in_a_loop(q: Queries, eps: Epsilon, noise: Noise):
    best = 0
    low = 0
    for i, x in enumerate(q):
        e = noise.exponential(2 / eps)
        if i == 0 or x - e < low:
            low = x - e
            best = i
    return best


@mechanism
def two_maxima(q: Queries, r: Queries, eps: Epsilon, noise: Noise):
    a = [noise.laplace(4 / eps) for x in q]
    (i,) = largest([x + y for x, y in zip(q, a)], 1)
    b = [noise.laplace(4 / eps) for x in r]
    (j,) = largest([x + y for x, y in zip(r, b)], 1)
    return i, j


@mechanism
def two_thresholds(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(4 / eps)
    for x in q:
        nu = noise.laplace(8 / eps)
        if x + nu >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW
    sigma = noise.laplace(4 / eps)
    for y in q:
        mu = noise.laplace(8 / eps)
        if y + mu >= T + sigma:
            yield ABOVE
            break
        else:
            yield BELOW


@mechanism
def maximum_then_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for x in q]
    (best,) = largest([x + y for x, y in zip(q, eta)], 1)
    yield best
    rho = noise.laplace(4 / eps)
    for x in q:
        nu = noise.laplace(8 / eps)
        if x + nu >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW


@mechanism
def second_threshold_without_noise(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(4 / eps)
    for x in q:
        nu = noise.laplace(8 / eps)
        if x + nu >= T + rho:
            yield ABOVE
            break
        else:
            yield BELOW
    for y in q:
        mu = noise.laplace(8 / eps)
        yield ABOVE if y + mu >= T else BELOW


@mechanism
def released_maximum_in_a_loop(q: Queries, eps: Epsilon, noise: Noise):
    top = 0
    for i, x in enumerate(q):
        e = noise.laplace(2 / eps)
        if i == 0 or x + e > top:
            top = x + e
    return top


FOUND = [
    (clamped_in_a_loop, "one", "eps"),
    (clamped_one_by_one, "one", "eps"),
    (clamped_one_by_one, "each", "eps * len(omega)"),
    (largest_answer, "each", "eps"),
    (noisy_min_in_a_loop, "each", "eps"),
    (two_maxima, "each", "eps"),
    (two_thresholds, "each", "eps"),
    (maximum_then_threshold, "each", "eps"),
]


@pytest.mark.parametrize(
    ("mine", "adjacency", "claim"), FOUND, ids=[f"{mine.name} {adjacency}" for mine, adjacency, _ in FOUND]
)
def test_it_is_found_at_its_claim(mine, adjacency, claim):
    proposal = find(mine, adjacency=adjacency, effort=0, bound=False).proved
    assert proposal is not None
    assert proposal.claim == claim


@pytest.mark.parametrize("mine", [second_threshold_without_noise, released_maximum_in_a_loop], ids=lambda m: m.name)
def test_nothing_is_proved_of_what_leaks_without_end(mine):
    assert find(mine, effort=0, bound=False).proved is None


def test_no_bound_is_said_where_the_losers_may_change_their_order():
    assert find(noisy_min_in_a_loop, effort=0).lower_bound is None
