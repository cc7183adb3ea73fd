"""Streams next to the right ones: loops over queries or a range, what an alignment reads of them, and how they end.

The prover is asked alone: most of these programs differ from a right one only in long runs, for public parameters far
from the usual, or in what is undefined, where a random search hardly looks.
"""

# Programs under test draw noise and compute values that they do not use.
# ruff: noqa: F841, RUF034

from __future__ import annotations

import pytest

from alignkit import ABOVE, Count, Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

END, TOP = Tag("END"), Tag("TOP")


def by_pairs(q, q_):
    """The change of each answer, as noise must make up for it."""
    return [q[i] - q_[i] for i in range(len(q))]


# An item that is never looked at: a condition that never holds says nothing of the rest of the path


@mechanism
def raw_for_high_thresholds(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Above T = 100 an answer is given as it is. There is no item 5 + k, and k < 1 for no k."""
    e = noise.laplace(1 / eps)
    if T > 100:
        pair = [1, 2]
        x = pair[k + 5] if k < 1 else 0
        yield q[0]
    else:
        yield q[0] + e


@alignment(raw_for_high_thresholds, epsilon="eps")
def raw_for_high_thresholds_phi(q, q_, H):
    """Wrong: for T = 1000 the output differs."""
    return H.shift(e=q[0] - q_[0])


@mechanism
def over_before_the_loop(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    if T > 100:
        e = noise.laplace(1 / eps)
        return
    for q_i in q:
        f = noise.laplace(1 / eps)
        yield q_i + f


@alignment(over_before_the_loop, epsilon="eps", adjacency="l1")
def far_where_nothing_is_given_phi(q, q_, omega, H):
    """Wrong: for T = 1000 the output is empty, no item of it is looked at, and the shift costs 1000 eps."""
    return H.shift(e=1000, f=[q[i] - q_[i] + (0 if i < len(omega) and omega[i] is ABOVE else 0) for i in range(len(q))])


@mechanism
def item_of_two(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    pair = [1, 2]
    x = pair[k + 5] if k < 1 else pair[k] if k < 2 else 0
    e = noise.laplace(1 / eps)
    yield q[0] + e + x


@alignment(item_of_two, epsilon="eps")
def item_of_two_phi(q, q_, H):
    """Right: what is looked at is there."""
    return H.shift(e=q[0] - q_[0])


@pytest.mark.parametrize(
    ("phi", "noise", "parameters"),
    [
        (raw_for_high_thresholds_phi, {"e": 0}, {"T": 1000, "k": 1}),
        (far_where_nothing_is_given_phi, {"e": 0, "f": []}, {"T": 1000}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_condition_that_never_holds_hides_nothing(phi, noise, parameters, prover_alone):
    assert not prover_alone(phi).complete
    assert phi.replay([0], [1], H=noise, eps=1, **parameters).violation is not None


def test_an_item_under_a_condition_that_never_holds(proved):
    proved(item_of_two_phi)
