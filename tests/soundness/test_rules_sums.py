"""Rules 41 and 42: sums and running totals of answers, what is private and what only looks so."""

# Programs under test compute values that they do not use: that they may be undefined is the point.

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
    Real,
    Sensitivity,
    alignment,
    attack,
    clamp,
    largest,
    mechanism,
)

Bounded = Annotated[Queries, Sensitivity("delta")]


def whole(q, q_):
    """What the sum has lost on D'."""
    return sum(q) - sum(q_)


def so_far(q, q_):
    """What the sum of the answers has lost on D', after each iteration."""
    return [sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(q))]


def in_windows(q, q_, w):
    """The same for the last w answers."""
    return [sum(q[j] - q_[j] for j in range(max(0, i + 1 - w), i + 1)) for i in range(len(q))]


@mechanism
def total(q: Bounded, delta: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(delta / eps)
    return sum(q) + e


@mechanism
def total_at_half(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / (2 * eps))
    return sum(q) + e


@mechanism
def total_by_loop(q: Queries, eps: Epsilon, noise: Noise):
    s = 0
    for q_i in q:
        s += q_i
    e = noise.laplace(1 / eps)
    return s + e


@mechanism
def clipped(q: Queries, B: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(clamp(x, 0, B) for x in q) + e


@mechanism
def clipped_and_scaled(q: Queries, B: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(3 * clamp(x, 0, B) for x in q) + e


@mechanism
def counted(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(1 for x in q if x > T) + e


@mechanism
def counted_by_loop(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    c = 0
    for q_i in q:
        if q_i >= T:
            c += 1
    e = noise.laplace(1 / eps)
    return c + e


@mechanism
def large_ones(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(x for x in q if x >= T) + e


@mechanism
def largest_ones(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(q[i] for i in largest(q, 2)) + e


@mechanism
def first_twice(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum([q[0], *q]) + e


@mechanism
def first_and_sum(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[0] + sum(q) + e


@mechanism
def by_place(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(i * x for i, x in enumerate(q)) + e


@mechanism
def squares(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(x * x for x in q) + e


@mechanism
def neighbours(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(q[i] + q[i + 1] for i in range(len(q) - 1)) + e


@mechanism
def average(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return sum(q) / len(q) + e


@mechanism
def average_with_less_noise(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / (len(q) * eps))
    return sum(q) / len(q) + e


@mechanism
def twice(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    return sum(q) + e, sum(q) + f


@mechanism
def prefixes(q: Queries, eps: Epsilon, noise: Noise):
    """The noise adds up as the answers do."""
    s = 0
    for q_i in q:
        e = noise.laplace(1 / eps)
        s += q_i + e
        yield s


@mechanism
def counter(q: Queries, eps: Epsilon, noise: Noise):
    """Fresh noise for each prefix, at a scale that does not depend on their number."""
    s = 0
    for q_i in q:
        s += q_i
        e = noise.laplace(1 / eps)
        yield s + e


@mechanism
def counter_paid_for(q: Queries, eps: Epsilon, noise: Noise):
    s = 0
    for q_i in q:
        s += q_i
        e = noise.laplace(len(q) / eps)
        yield s + e


@mechanism
def windows(q: Queries, w: Count, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        e = noise.laplace(w / eps)
        yield sum(q[j] for j in range(max(0, i + 1 - w), i + 1)) + e


@mechanism
def windows_for_one(q: Queries, w: Count, eps: Epsilon, noise: Noise):
    """As if every answer were in one window."""
    for i, q_i in enumerate(q):
        e = noise.laplace(1 / eps)
        yield sum(q[j] for j in range(max(0, i + 1 - w), i + 1)) + e


@mechanism
def pairs(q: Queries, eps: Epsilon, noise: Noise):
    last = 0
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield last + q_i + e
        last = q_i


@mechanism
def blocks(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    """Smart sums: within a block the noise adds up, at its end the sum of the block gets fresh noise."""
    s = 0
    block = 0
    place = 0
    for q_i in q:
        place += 1
        if place == M:
            x = noise.laplace(1 / eps)
            s = block + q_i + x
            block = 0
            place = 0
        else:
            e = noise.laplace(1 / eps)
            s += q_i + e
            block += q_i
        yield s


@mechanism
def blocks_without_noise(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    s = 0
    block = 0
    place = 0
    for q_i in q:
        place += 1
        if place == M:
            s = block + q_i
            block = 0
            place = 0
        else:
            e = noise.laplace(1 / eps)
            s += q_i + e
            block += q_i
        yield s


@mechanism
def blocks_that_end_by_answers(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    """A large answer ends a block too, so that which noise is drawn tells of it."""
    s = 0
    place = 0
    for q_i in q:
        place += 1
        if place >= M or q_i > 5:
            x = noise.laplace(1 / eps)
            s = s + q_i + x
            place = 0
        else:
            e = noise.laplace(1 / eps)
            s += q_i + e
        yield s


@mechanism
def above_total(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    s = 0
    count = 0
    for q_i in q:
        s += q_i
        nu = noise.laplace(4 * k / eps)
        if s + nu >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def above_total_without_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    s = 0
    for q_i in q:
        s += q_i
        if s >= T + rho:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def each_answer(q: Queries, eps: Epsilon, noise: Noise):
    """Changes of +1/2, -1/2, … keep the change of the sum small, but each is paid for."""
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e


@mechanism
def stops_by_total(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    s = 0
    for q_i in q:
        s += q_i
        e = noise.laplace(1 / eps)
        if s > T:
            break
        yield q_i + e


@mechanism
def as_many_as_the_total(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    c = 0
    for q_i in q:
        if q_i > T:
            c += 1
    e = noise.laplace(1 / eps)
    return sum(q[j] for j in range(c)) + e


@mechanism
def scale_by_total(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace((1 + abs(sum(q))) / eps)
    return sum(q) + e


@mechanism
def compared_totals(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    if sum(q) > 10:
        return sum(q) + e
    return sum(q) + e + 1


def proof(of, adjacency, shift, claim="eps"):
    return pytest.param((of, adjacency, shift, claim), id=f"{of.__name__}-{adjacency}")


def aligned(of, adjacency, shift, claim):
    """The alignment that ``shift`` makes, a function of the answers and of H."""
    return alignment(of, epsilon=claim, adjacency=adjacency)(shift)


def total_phi(q, q_, H):
    return H.shift(e=whole(q, q_))


def clipped_phi(q, q_, B, H):
    return H.shift(e=sum(clamp(x, 0, B) for x in q) - sum(clamp(x, 0, B) for x in q_))


def scaled_phi(q, q_, B, H):
    return H.shift(e=sum(3 * clamp(x, 0, B) for x in q) - sum(3 * clamp(x, 0, B) for x in q_))


def counted_phi(q, q_, T, H):
    return H.shift(e=sum(1 for x in q if x > T) - sum(1 for x in q_ if x > T))


def counted_by_loop_phi(q, q_, T, H):
    return H.shift(e=sum(1 for x in q if x >= T) - sum(1 for x in q_ if x >= T))


def large_phi(q, q_, T, H):
    return H.shift(e=sum(x for x in q if x >= T) - sum(x for x in q_ if x >= T))


def largest_phi(q, q_, H):
    return H.shift(e=sum(q[i] for i in largest(q, 2)) - sum(q_[i] for i in largest(q_, 2)))


def first_twice_phi(q, q_, H):
    return H.shift(e=sum([q[0], *q]) - sum([q_[0], *q_]))


def first_and_sum_phi(q, q_, H):
    return H.shift(e=q[0] - q_[0] + whole(q, q_))


def by_place_phi(q, q_, H):
    return H.shift(e=sum(i * x for i, x in enumerate(q)) - sum(i * x for i, x in enumerate(q_)))


def squares_phi(q, q_, H):
    return H.shift(e=sum(x * x for x in q) - sum(x * x for x in q_))


def neighbours_phi(q, q_, H):
    n = len(q)
    return H.shift(e=sum(q[i] + q[i + 1] - q_[i] - q_[i + 1] for i in range(n - 1)))


def average_phi(q, q_, H):
    return H.shift(e=whole(q, q_) / len(q))


def twice_phi(q, q_, H):
    return H.shift(e=whole(q, q_), f=whole(q, q_))


def each_phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


def so_far_phi(q, q_, H):
    return H.shift(e=so_far(q, q_))


def before_each_phi(q, q_, H):
    """One answer too few: the change before item i, not after it."""
    return H.shift(e=[sum(q[j] - q_[j] for j in range(i)) for i in range(len(q))])


def windows_phi(q, q_, w, H):
    return H.shift(e=in_windows(q, q_, w))


def shorter_windows_phi(q, q_, w, H):
    return H.shift(e=[sum(q[j] - q_[j] for j in range(max(0, i + 2 - w), i + 1)) for i in range(len(q))])


def pairs_phi(q, q_, H):
    return H.shift(e=in_windows(q, q_, 2))


def blocks_phi(q, q_, M, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], x=in_windows(q, q_, M))


def above_phi(q, q_, omega, H):
    changes = so_far(q, q_)
    return H.shift(rho=1, nu=[1 + changes[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def above_with_the_threshold_still_phi(q, q_, omega, H):
    changes = so_far(q, q_)
    return H.shift(nu=[changes[i] if w is ABOVE else 0 for i, w in enumerate(omega)])


def threshold_phi(q, q_, H):
    return H.shift(rho=1)


def up_to_count_phi(q, q_, T, H):
    c, c_ = sum(1 for x in q if x > T), sum(1 for x in q_ if x > T)
    return H.shift(e=sum(q[j] for j in range(c)) - sum(q_[j] for j in range(c_)))


# What is private, and proved

PRIVATE = [
    proof(total, "one", total_phi),
    proof(total, "l1", total_phi),
    proof(total_by_loop, "one", total_phi),
    proof(total_by_loop, "l1", total_phi),
    proof(total_at_half, "l1", total_phi, "2 * eps"),
    proof(clipped, "one", clipped_phi),
    proof(clipped, "l1", clipped_phi),
    proof(clipped_and_scaled, "l1", scaled_phi, "3 * eps"),
    proof(counted, "one", counted_phi),
    proof(counted_by_loop, "one", counted_by_loop_phi),
    proof(first_and_sum, "l1", first_and_sum_phi, "2 * eps"),
    proof(average, "each", average_phi),
    proof(average, "monotone", average_phi),
    proof(average_with_less_noise, "l1", average_phi),
    proof(twice, "one", twice_phi, "2 * eps"),
    proof(prefixes, "l1", each_phi),
    proof(each_answer, "l1", each_phi),
    proof(counter, "l1", so_far_phi, "len(omega) * eps"),
    proof(counter_paid_for, "one", so_far_phi),
    proof(counter_paid_for, "l1", so_far_phi),
    proof(windows, "one", windows_phi),
    proof(windows, "l1", windows_phi),
    proof(pairs, "l1", pairs_phi),
    proof(blocks, "one", blocks_phi, "2 * eps"),
    proof(blocks, "l1", blocks_phi, "2 * eps"),
    proof(above_total, "one", above_phi),
    proof(above_total, "l1", above_phi),
]


@pytest.mark.parametrize("case", PRIVATE)
def test_what_is_private_is_proved(case, proved):
    proved(aligned(*case))


# What is not private at the claim, or is not aligned

WRONG = [
    proof(total, "each", total_phi),
    proof(total, "monotone", total_phi),
    proof(total_by_loop, "monotone", total_phi),
    proof(total_at_half, "one", total_phi),
    proof(total_at_half, "l1", total_phi),
    proof(clipped, "each", clipped_phi),
    proof(clipped_and_scaled, "one", scaled_phi),
    proof(clipped_and_scaled, "l1", scaled_phi, "2 * eps"),
    proof(counted, "l1", counted_phi),
    proof(counted_by_loop, "l1", counted_by_loop_phi),
    proof(large_ones, "one", large_phi),
    proof(large_ones, "l1", large_phi),
    proof(largest_ones, "each", largest_phi),
    proof(first_twice, "one", first_twice_phi),
    proof(first_twice, "l1", first_twice_phi),
    proof(first_twice, "one", total_phi),
    proof(first_and_sum, "one", first_and_sum_phi),
    proof(first_and_sum, "l1", total_phi),
    proof(by_place, "one", by_place_phi),
    proof(by_place, "l1", by_place_phi),
    proof(squares, "one", squares_phi),
    proof(neighbours, "one", neighbours_phi),
    proof(neighbours, "l1", neighbours_phi),
    proof(average_with_less_noise, "each", average_phi),
    proof(average_with_less_noise, "monotone", average_phi),
    proof(twice, "one", twice_phi),
    proof(prefixes, "each", each_phi),
    proof(prefixes, "one", so_far_phi),
    proof(each_answer, "each", each_phi),
    proof(each_answer, "l1", so_far_phi),
    proof(each_answer, "l1", each_phi, "eps / 2"),
    proof(counter, "one", so_far_phi),
    proof(counter, "l1", so_far_phi),
    proof(counter, "l1", each_phi),
    proof(counter_paid_for, "one", so_far_phi, "eps / 2"),
    proof(counter_paid_for, "each", so_far_phi),
    proof(counter_paid_for, "one", before_each_phi),
    proof(windows_for_one, "one", windows_phi),
    proof(windows_for_one, "l1", windows_phi),
    proof(windows, "one", shorter_windows_phi),
    proof(windows, "one", windows_phi, "eps / 2"),
    proof(windows, "each", windows_phi),
    proof(pairs, "l1", pairs_phi, "eps / 2"),
    proof(pairs, "each", pairs_phi),
    proof(blocks, "one", blocks_phi),
    proof(blocks, "each", blocks_phi, "2 * eps"),
    proof(blocks_without_noise, "one", each_phi, "2 * eps"),
    proof(blocks_that_end_by_answers, "one", blocks_phi, "2 * eps"),
    proof(above_total, "each", above_phi),
    proof(above_total, "monotone", above_phi),
    proof(above_total, "one", above_with_the_threshold_still_phi),
    proof(above_total, "l1", above_phi, "eps / 2"),
    proof(above_total_without_noise, "one", threshold_phi),
    proof(stops_by_total, "one", each_phi),
    proof(as_many_as_the_total, "one", up_to_count_phi),
    proof(scale_by_total, "one", total_phi),
    proof(compared_totals, "one", total_phi),
]


@pytest.mark.parametrize("case", WRONG)
def test_what_is_not_private_is_never_proved(case, never_proved):
    never_proved(aligned(*case))


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        proof(counter, "one", so_far_phi),
        proof(windows_for_one, "one", windows_phi),
        proof(each_answer, "each", each_phi),
        proof(twice, "one", twice_phi),
    ],
)
def test_a_leak_is_certified(case):
    assert attack(aligned(*case), eps=1, effort=600, timeout=60).violates


# Invariants that the user states


def test_an_invariant_may_speak_of_the_change_so_far(proved):
    stated = "s_ - s == sum(q_[j] - q[j] for j in range(rounds))"
    proved(alignment(total_by_loop, epsilon="eps", adjacency="l1", invariant=stated)(total_phi))


@pytest.mark.parametrize(
    "wrong",
    [
        "s_ - s == sum(q_[j] - q[j] for j in range(rounds + 1))",
        "s_ - s == sum(q[j] - q_[j] for j in range(rounds))",
        "s_ == s",
        "sum(q_) == sum(q)",
        "sum(abs(q_[j] - q[j]) for j in range(rounds)) <= 0",
        "privacy_cost <= eps / 2 * sum(abs(q_[j] - q[j]) for j in range(rounds))",
    ],
)
def test_a_wrong_invariant_of_sums_is_not_proved(wrong, never_proved):
    never_proved(alignment(counter, epsilon="eps", adjacency="l1", invariant=wrong)(so_far_phi))
