"""Mechanisms that give out or compare sums, each with noise of its own: each draw covers what its sum changes by."""

from __future__ import annotations

from typing import Annotated

import pytest

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Reals,
    Sensitivity,
    Tag,
    clamp,
    find,
    largest,
    mechanism,
)

NOBODY, TOP = Tag("NOBODY"), Tag("TOP")
Shared = Annotated[Queries, Sensitivity(2)]


@mechanism
def totals(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total += q_i
        e = noise.laplace(1 / eps)
        yield total + e


@mechanism
def windows(q: Queries, eps: Epsilon, noise: Noise):
    before = 0
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield before + q_i + e
        before = q_i


@mechanism
def blocks(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    block = 0
    for i, q_i in enumerate(q):
        block = block + q_i
        if (i + 1) % M == 0:
            e = noise.laplace(1 / eps)
            yield block + e
            block = 0
        else:
            yield 0


@mechanism
def a_square(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for j in range(4)]
    return q[0] + q[1] + e[0], q[2] + q[3] + e[1], q[0] + q[2] + e[2], q[1] + q[3] + e[3]


@mechanism
def two_lists(q: Queries, s: Queries, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps1) for q_i in q]
    f = [noise.laplace(1 / eps2) for s_i in s]
    return [q_i + e_i for q_i, e_i in zip(q, e)], [s_i + f_i for s_i, f_i in zip(s, f)]


@mechanism
def against_thresholds(q: Queries, T: Reals, eps: Epsilon, noise: Noise):
    for T_j in T:
        for q_i in q:
            e = noise.laplace(1 / eps)
            if q_i + e >= T_j:
                yield ABOVE
            else:
                yield BELOW


@mechanism
def shares(q: Queries, share: Reals, noise: Noise):
    for q_i, s in zip(q, share):
        if s <= 0:
            break
        e = noise.laplace(1 / s)
        yield q_i + e


@pytest.mark.parametrize(
    ("mine", "adjacency", "claim"),
    [
        (totals, "one", "eps * len(omega)"),
        (windows, "one", "eps"),
        (blocks, "one", "eps"),
        (a_square, "one", "eps"),
        (two_lists, "one", "max(eps1, eps2)"),
        (against_thresholds, "one", "eps * len(T)"),
        (shares, "each", "sum(max(s, 0) for s in share)"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_each_draw_covers_what_its_number_changes_by(mine, adjacency, claim):
    proposal = find(mine, adjacency=adjacency, effort=0, bound=False).proved
    assert proposal is not None
    assert (proposal.claim, proposal.shape) == (claim, "released-sums")


def test_a_single_draw_in_two_numbers_covers_neither():
    @mechanism
    def one_draw(q: Queries, eps: Epsilon, noise: Noise):
        e = noise.laplace(1 / eps)
        return q[0] + e, q[1] + e

    assert find(one_draw, adjacency="one", effort=0, bound=False, shapes=["released-sums"]).proved is None


@mechanism
def rounded(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return round(q + e)


@mechanism
def noisy_ratio(q: Query, s: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    return (q + e) / max(1, s + f)


@mechanism
def clamped_first(q: Query, bound: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return round(clamp(q, -bound, bound) + e)


@pytest.mark.parametrize("mine", [rounded, noisy_ratio, clamped_first], ids=lambda m: m.name)
def test_what_is_computed_from_a_noisy_number_is_kept_the_same(mine):
    findings = find(mine, effort=0)
    assert findings.proved is not None
    assert findings.proved.claim == "eps"
    # Another alignment may keep the output and not the number, so that nothing is said of all alignments.
    assert findings.lower_bound is None


@mechanism
def or_zero(q: Queries, T: Positive, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        e = noise.laplace(6 * k / eps)
        if q_i + e >= T + rho:
            f = noise.laplace(3 * k / eps)
            yield q_i + f
            count += 1
        else:
            yield 0
        if count >= k:
            break


@mechanism
def first_with_gap(q: Queries, T: Positive, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        e = noise.laplace(4 / eps)
        if q_i + e >= T + rho:
            return i, q_i + e - (T + rho)
    return NOBODY, 0


@mechanism
def tags_and_numbers(q: Queries, T: Positive, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for q_i in q:
        e = noise.laplace(4 / eps)
        if q_i + e >= T + rho:
            yield TOP, q_i + e - (T + rho)
            break
        else:
            yield BELOW


@mechanism
def split(gain: Queries, left: Queries, eps: Epsilon, noise: Noise):
    g = [noise.laplace(4 / eps) for x in gain]
    (best,) = largest([x + g_i for x, g_i, a in zip(gain, g, left)], 1)
    e = noise.laplace(2 / eps)
    return best, left[best] + e


@mechanism
def measured(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    e = [noise.laplace(4 * k / eps) for q_i in q]
    for j in largest([q_i + e_i for q_i, e_i in zip(q, e)], k):
        f = noise.laplace(2 * k / eps)
        yield j, q[j] + f


@mechanism
def ever_less(q: Queries, T: Positive, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    share = eps / 4
    for q_i in q:
        e = noise.laplace(2 / share)
        if q_i + e >= T + rho:
            yield ABOVE
            share = share / 2
        else:
            yield BELOW


@pytest.mark.parametrize(
    "mine",
    [or_zero, first_with_gap, tags_and_numbers, split, measured, ever_less],
    ids=lambda m: m.name,
)
def test_shapes_read_the_output_as_it_is(mine):
    proposal = find(mine, effort=0, bound=False).proved
    assert proposal is not None
    assert proposal.claim == "eps"


def test_a_histogram_after_a_sparse_vector():
    @mechanism
    def both(q: Queries, T: Positive, eps: Epsilon, noise: Noise):
        rho = noise.laplace(2 / eps)
        for q_i in q:
            e = noise.laplace(4 / eps)
            if q_i + e >= T + rho:
                yield ABOVE
                break
            else:
                yield BELOW
        for q_i in q:
            f = noise.laplace(1 / eps)
            yield q_i + f

    proposal = find(both, adjacency="one", effort=0, bound=False).proved
    assert proposal is not None
    assert proposal.claim == "5 * eps / 4"
    assert "len(H.e)" in proposal.source
