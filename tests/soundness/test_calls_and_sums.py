"""Calls by their lemmas together with sums, with several loops and with adaptive queries."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, Noise, Queries, Query, alignment, mechanism


@mechanism
def noisy(x: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return x + e


@alignment(noisy, epsilon="eps")
def noisy_phi(x, x_, H):
    return H.shift(e=x - x_)


@mechanism
def of_sum(q: Queries, eps: Epsilon, noise: Noise):
    s = noisy(sum(q), eps, noise)
    return s


@alignment(of_sum, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
def of_sum_phi(H):
    return H.shift()


@alignment(of_sum, epsilon="eps", lemmas=[noisy_phi])
def of_sum_each(H):
    return H.shift()


@mechanism
def twice_sum(q: Queries, eps: Epsilon, noise: Noise):
    s = noisy(2 * sum(q), eps, noise)
    return s


@alignment(twice_sum, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
def twice_sum_phi(H):
    return H.shift()


@alignment(of_sum, epsilon="eps / 2", adjacency="one", lemmas=[noisy_phi])
def half(H):
    return H.shift()


@alignment(of_sum, epsilon="0 * eps", adjacency="one", lemmas=[noisy_phi])
def free(H):
    return H.shift()


@mechanism
def each_round(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        s = noisy(q_i, eps, noise)
        yield s


@alignment(each_round, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
def each_round_phi(H):
    return H.shift()


@mechanism
def totals(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total += q_i
        s = noisy(total, eps, noise)
        yield s


@alignment(totals, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
def totals_phi(H):
    return H.shift()


@alignment(totals, epsilon="len(omega)*eps", adjacency="one", lemmas=[noisy_phi])
def totals_n_phi(omega, H):
    return H.shift()


@mechanism
def two_loops(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        s = noisy(q_i, eps, noise)
        yield s
    for q_i in q:
        s = noisy(q_i, eps, noise)
        yield s


@alignment(two_loops, epsilon="eps", adjacency="one", lemmas=[noisy_phi])
def two_loops_phi(H):
    return H.shift()


@alignment(each_round, epsilon="eps", adjacency="one", queries="adaptive", lemmas=[noisy_phi])
def each_round_adaptive(H):
    return H.shift()


@pytest.mark.parametrize("phi", [of_sum_phi, each_round_phi, totals_n_phi], ids=lambda phi: phi.name)
def test_what_is_paid_for_is_proved(phi, proved) -> None:
    proved(phi)


@pytest.mark.parametrize(
    "phi",
    [of_sum_each, twice_sum_phi, half, free, totals_phi, two_loops_phi, each_round_adaptive],
    ids=lambda phi: phi.name,
)
def test_what_is_not_paid_for_or_not_covered_is_never_proved(phi, never_proved) -> None:
    never_proved(phi)
