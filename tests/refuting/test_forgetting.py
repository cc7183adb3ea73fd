"""Noise that an alignment forgets is found by moving one coordinate; what is one-to-one is left alone."""

from __future__ import annotations

import pytest

# Programs under test draw noise that they do not use.
# ruff: noqa: F841
from alignkit import Epsilon, Noise, Query, alignment, mechanism
from alignkit.proofs import noisy_max, top_k
from alignkit.refuting.collisions import forgotten
from alignkit.refuting.counterexamples import collide
from alignkit.refuting.random_search import search_at_random


@mechanism
def idle(q: Query, eps: Epsilon, noise: Noise):
    """One draw is put out, the other is not."""
    eta = noise.laplace(1 / eps)
    spare = noise.laplace(1 / eps)
    return q + eta


@alignment(idle, epsilon="2 * eps", expect="refuted")
def forgets_the_spare(q, q_, H):
    """Within [-1, 1] the spare draw comes to 0, whatever it was."""
    return H.shift(eta=q - q_, spare=-H.spare if -1 <= H.spare <= 1 else 0)


@alignment(idle, epsilon="2 * eps")
def moves_one_point(q, q_, H):
    """Only 1 itself comes to where another vector is already."""
    return H.shift(eta=q - q_, spare=-1 if H.spare == 1 else 0)


@alignment(idle, epsilon="eps")
def forgets_nothing(q, q_, H):
    return H.shift(eta=q - q_)


@pytest.mark.parametrize("phi", [forgets_the_spare, top_k.exponential_gap_phi_as_printed])
def test_two_vectors_one_coordinate_apart(phi):
    found = forgotten(phi, search_at_random(phi, seed=0).passed)
    one, other = collide(phi, found)
    assert one.run.output == other.run.output
    assert one.noise_ == other.noise_
    assert sum(one.run.noise[where] != other.run.noise[where] for where in one.run.noise) == 1


@pytest.mark.parametrize("phi", [forgets_nothing, moves_one_point, top_k.exponential_gap_phi, noisy_max.gap_phi])
def test_nothing_is_found_where_nothing_is_forgotten(phi):
    assert forgotten(phi, search_at_random(phi, seed=0).passed) is None


def test_the_search_is_bounded_by_work(monkeypatch):
    """Where no clock ends it, a number of moves does."""
    monkeypatch.setattr("alignkit.refuting.collisions.MOST_MOVES", 0)
    assert forgotten(forgets_the_spare, search_at_random(forgets_the_spare, seed=0).passed) is None
