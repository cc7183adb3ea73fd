"""Noise on a sum of answers: the search moves it by the change of the sum, where the changes are bounded together."""

from __future__ import annotations

import pytest

from alignkit import Epsilon, Noise, Positive, Queries, clamp, find, mechanism


@mechanism
def added_in_a_loop(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total += q_i
    eta = noise.laplace(1 / eps)
    return total + eta


@mechanism
def mean_of_clamped(q: Queries, b: Positive, eps: Epsilon, noise: Noise):
    n = len(q)
    eta = noise.laplace(1 / (n * eps))
    return sum(clamp(x, 0, b) for x in q) / n + eta


@pytest.mark.parametrize("mine", [added_in_a_loop, mean_of_clamped], ids=lambda m: m.name)
def test_noise_on_a_sum_moves_by_the_change_of_the_sum(mine):
    proposal = find(mine, adjacency="one", bound=False).proved
    assert proposal is not None
    assert (proposal.claim, proposal.shape) == ("eps", "sums")


def test_a_sum_is_not_private_where_every_answer_changes():
    assert find(added_in_a_loop, effort=0, bound=False).proved is None
