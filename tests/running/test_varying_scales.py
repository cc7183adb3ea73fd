"""Every way to run a mechanism whose scales vary says the same of it, or refuses."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice

import pytest
from support.sampled import assert_text_agrees

from alignkit import (
    ABOVE,
    BELOW,
    Epsilon,
    Noise,
    Queries,
    Real,
    alignment,
    attack,
    check,
    find,
    law,
    least_noise,
    mechanism,
)
from alignkit.errors import Unsupported
from alignkit.noise.exact_sampling.randomness import SeededBits
from alignkit.releasing import release_on, running_time
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import random_pairs


@mechanism
def halved_by_winners(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        e = noise.laplace(1 / share)
        if q_i + e >= T:
            yield ABOVE
            share = share / 2
        else:
            yield BELOW


@mechanism
def by_the_last_release(q: Queries, eps: Epsilon, noise: Noise):
    last = 0
    for q_i in q:
        e = noise.laplace((1 + abs(last)) / eps)
        last = q_i + e
        yield last


@mechanism
def by_the_side(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    r = q[0] + e
    scale = 1 / eps if r > 0 else 2 / eps
    yield r
    x = noise.discrete_laplace(scale)
    yield q[1] + x


@mechanism
def by_the_size(q: Queries(lattice=1), eps: Epsilon, noise: Noise):
    e = noise.discrete_laplace(1 / eps)
    r = q[0] + e
    yield r
    x = noise.discrete_laplace((1 + abs(r)) / eps)
    yield q[1] + x


@alignment(by_the_size, epsilon="2 * eps")
def by_the_size_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0], x=q[1] - q_[1])


@pytest.mark.parametrize("program", [halved_by_winners, by_the_last_release, by_the_side, by_the_size])
def test_batches_and_replays_agree(program):
    compared = 0
    for i, pair in enumerate(islice(random_pairs(program, Adjacency.EACH, random.Random(3), (1, 2, 7)), 30)):
        values = program.read((), {**pair.public, **pair.q})
        compared += assert_text_agrees(program, values, 5, i, coarse=i % 2 == 1)
    assert compared >= 25


def probability(value, ratio):
    """That of a multiple of 1 under discrete Laplace noise."""
    return (1 - ratio) / (1 + ratio) * ratio ** abs(value)


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (2, -2), (-1, 2)])
def test_a_law_has_the_scale_of_each_path(first, second):
    half = Fraction(1, 2)  # e^(-eps / 2)
    scaled = half**2 if first > 0 else half
    expected = probability(first, half**2) * probability(second, scaled)
    assert law(by_the_side, q=[0, 0], window=3).at((first, second), B=half) == expected


def test_a_law_refuses_a_scale_with_noise_in_it():
    with pytest.raises(Unsupported, match="noise combined with a privacy parameter"):
        law(by_the_size, q=[0, 0])


def test_an_attack_reaches_what_the_release_costs_and_no_more():
    found = attack(by_the_side, claim="2 * eps", eps=1, effort=600, timeout=60)
    assert 1.5 < found.loss <= 2


def test_the_noise_search_refuses_scales_of_its_own_making():
    assert "the scale of e is no expression of public parameters" in str(least_noise(halved_by_winners, claim="eps"))


def test_an_alignment_is_found_where_a_scale_reads_a_released_number():
    proposal = find(by_the_size, effort=0, bound=False).proved
    assert proposal is not None
    assert proposal.claim == "2 * eps"


def test_a_release_reads_as_many_bits_as_its_output_tells():
    """Not as many for all data: the scale follows the output."""
    claims = running_time(by_the_size)
    assert claims.scales == ("x",)
    assert not claims.fixed_draws
    proof = check(by_the_size_phi, effort=0)
    by_first, bits_of_all = {}, set()
    for q in ([0, 0], [0, 9], [10**6, 0], [10**6, 9], [10**40, 0]):
        source = SeededBits(5)
        first, _ = release_on(source, by_the_size, (q,), {"eps": 1}, proof)
        by_first.setdefault(first, set()).add(source.consumed)
        bits_of_all.add(source.consumed)
    assert all(len(bits) == 1 for bits in by_first.values())
    assert len(bits_of_all) >= 2
