"""Sums, counts and running totals of private answers."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, clamp, mechanism

Bounded = Annotated[Queries, Sensitivity("delta")]


@mechanism
def noisy_sum(q: Bounded, delta: Positive, eps: Epsilon, noise: Noise):
    """The sum of all answers, with noise (PartialSum of Wang, Ding, Wang, Kifer and Zhang, CCS 2020)."""
    total = 0
    for q_i in q:
        total += q_i
    e = noise.laplace(delta / eps)
    return total + e


@mechanism
def clipped_sum(q: Bounded, low: Real, width: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    """The sum of the answers, each clipped to an interval first."""
    e = noise.laplace(delta / eps)
    return sum(clamp(x, low, low + width) for x in q) + e


@mechanism
def noisy_count(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """How many answers lie above a threshold, with noise."""
    e = noise.laplace(1 / eps)
    return sum(1 for x in q if x > T) + e


@mechanism
def noisy_average(q: Bounded, delta: Positive, eps: Epsilon, noise: Noise):
    """The average of the answers, whose number is public."""
    e = noise.laplace(delta / (len(q) * eps))
    return sum(q) / len(q) + e


@mechanism
def prefix_sums(q: Bounded, delta: Positive, eps: Epsilon, noise: Noise):
    """All sums of the first answers; the noise adds up as the answers do (PrefixSum of the CCS 2020 paper)."""
    total = 0
    for q_i in q:
        eta_i = noise.laplace(delta / eps)
        total += q_i + eta_i
        yield total


@mechanism
def noisy_counter(q: Bounded, delta: Positive, eps: Epsilon, noise: Noise):
    """All sums of the first answers, each with noise of its own."""
    total = 0
    for q_i in q:
        total += q_i
        e = noise.laplace(delta / eps)
        yield total + e


@mechanism
def sliding_windows(q: Bounded, w: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """The sum of the last w answers after each answer."""
    for i, q_i in enumerate(q):
        e = noise.laplace(w * delta / eps)
        yield sum(q[j] for j in range(max(0, i + 1 - w), i + 1)) + e


@mechanism
def smart_sum(q: Bounded, M: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """Sums of the first answers in blocks of M (SmartSum of the CCS 2020 paper, after Chan, Shi and Song).

    Within a block the noise adds up as the answers do; at its end the sum of the block gets fresh noise.
    """
    total = 0
    block = 0
    place = 0
    for q_i in q:
        place += 1
        if place == M:
            xi_i = noise.laplace(delta / eps)
            total = block + q_i + xi_i
            block = 0
            place = 0
        else:
            eta_i = noise.laplace(delta / eps)
            total += q_i + eta_i
            block += q_i
        yield total


@mechanism
def sparse_totals(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse vector on running totals: the first k iterations after which the sum so far lies above a threshold."""
    eta = noise.laplace(2 / eps)
    total = 0
    count = 0
    for q_i in q:
        total += q_i
        eta_i = noise.laplace(4 * k / eps)
        if total + eta_i >= T + eta:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW
