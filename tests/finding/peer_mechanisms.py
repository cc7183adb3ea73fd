"""Mechanisms that other tools are tried on, and that the catalogue does not have. ``peer_programs.py`` says whose."""

from __future__ import annotations

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Lattice,
    Noise,
    Queries,
    Query,
    Real,
    Tag,
    clamp,
    largest,
    mechanism,
)

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


@mechanism
def numeric_sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A third of the budget each for the threshold, for the tests, and for the answers that are released."""
    eta = noise.laplace(3 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(6 * k / eps)
        if q_i + nu_i >= T + eta:
            xi_i = noise.laplace(3 * k / eps)
            yield q_i + xi_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def adaptive_sparse_vector_in_units(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Counts the budget in units of eps / (4 * k). Of a gap it does not say which of two tests was passed."""
    eta = noise.laplace(2 / eps)
    threshold = T + eta
    cost = 2 * k * eps
    for q_i in q:
        xi_i = noise.laplace(8 * k / eps)
        if q_i + xi_i - threshold >= 16:
            yield q_i + xi_i - threshold
            cost = cost + eps
        else:
            nu_i = noise.laplace(4 * k / eps)
            if q_i + nu_i - threshold >= 0:
                yield q_i + nu_i - threshold
                cost = cost + 2 * eps
            else:
                yield BELOW
        if cost > 4 * k * eps - 2 * eps:
            break


@mechanism
def adaptive_sparse_vector_with_tags(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The same, and each gap says which test was passed. Without the tags no more is lost."""
    eta = noise.laplace(2 / eps)
    threshold = T + eta
    cost = 2 * k * eps
    for q_i in q:
        xi_i = noise.laplace(8 * k / eps)
        if q_i + xi_i - threshold >= 16:
            yield TOP, q_i + xi_i - threshold
            cost = cost + eps
        else:
            nu_i = noise.laplace(4 * k / eps)
            if q_i + nu_i - threshold >= 0:
                yield MIDDLE, q_i + nu_i - threshold
                cost = cost + 2 * eps
            else:
                yield BELOW, 0
        if cost > 4 * k * eps - 2 * eps:
            break


@mechanism
def adaptive_sparse_vector_with_answer(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Far above the threshold it releases the noisy answer, not the gap."""
    eta = noise.laplace(2 / eps)
    threshold = T + eta
    cost = 2 * k * eps
    for q_i in q:
        xi_i = noise.laplace(8 * k / eps)
        if q_i + xi_i - threshold >= 16:
            yield q_i + xi_i
            cost = cost + eps
        else:
            nu_i = noise.laplace(4 * k / eps)
            if q_i + nu_i - threshold >= 0:
                yield q_i + nu_i - threshold
                cost = cost + 2 * eps
            else:
                yield BELOW
        if cost > 4 * k * eps - 2 * eps:
            break


@mechanism
def sparse_vector_with_fresh_thresholds(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    """Algorithm 2 of Lyu, Su and Li's survey: draws the noise of the threshold anew for each winner."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(c / eps1)
    threshold = T + rho
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c / eps2)
        if q_i + nu_i >= threshold:
            yield ABOVE
            rho_i = noise.laplace(c / eps1)
            threshold = T + rho_i
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def unbounded_sparse_vector(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """No bound on the winners, and noise that does not depend on how many there may be."""
    eta = noise.laplace(2 / eps)
    for q_i in q:
        nu_i = noise.laplace(2 / eps)
        if q_i + nu_i >= T + eta:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def two_sparse_vectors(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    """Algorithms 3 and 4 of Lyu, Su and Li's survey, one after the other on the same answers."""
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * c / eps)
        if q_i + nu_i >= T + rho:
            yield q_i + nu_i
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW
    tau = noise.laplace(4 / eps)
    total = 0
    for q_i in q:
        xi_i = noise.laplace(4 / (3 * eps))
        if q_i + xi_i >= T + tau:
            yield ABOVE
            total = total + 1
            if total >= c:
                break
        else:
            yield BELOW


@mechanism
def noisy_maximum(q: Queries, eps: Epsilon, noise: Noise):
    """The largest noisy answer, not its position."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return noisy[best]


@mechanism
def noisy_maximum_exponential(q: Queries, eps: Epsilon, noise: Noise):
    """The largest answer with one-sided noise, not its position."""
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return noisy[best]


@mechanism
def noisy_answer(q: Query, eps: Epsilon, noise: Noise):
    """One answer with Laplace noise."""
    eta = noise.laplace(1 / eps)
    return q + eta


@mechanism
def noisy_answer_20_times(q: Query, eps: Epsilon, noise: Noise):
    """The same answer 20 times, each time with noise of its own; eps is the budget of one."""
    eta = [noise.laplace(1 / eps) for j in range(20)]
    return [q + eta_j for eta_j in eta]


@mechanism
def histogram_with_inverted_scale(q: Queries, eps: Epsilon, noise: Noise):
    """A histogram whose noise has the scale eps, not 1 / eps."""
    eta = [noise.laplace(eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@mechanism
def truncated_geometric(q: Annotated[Query, Lattice(1)], n: Count, eps: Epsilon, noise: Noise):
    """A count with geometric noise, clamped to 0, …, n: GeoSample of Balcer and Vadhan, by its law.

    GeoSample draws from this law by a table of whole numbers, where eps is the logarithm of 1 + 2^-k.
    """
    xi = noise.discrete_laplace(1 / eps, 1)
    return clamp(q + xi, 0, n)


@mechanism
def partial_sum(q: Queries, eps: Epsilon, noise: Noise):
    """The sum of all answers, with noise."""
    eta = noise.laplace(1 / eps)
    return sum(q) + eta


@mechanism
def partial_sum_with_half_the_noise(q: Queries, eps: Epsilon, noise: Noise):
    """The sum of all answers, with half the noise that it needs."""
    eta = noise.laplace(1 / (2 * eps))
    return sum(q) + eta


@mechanism
def prefix_sum(q: Queries, eps: Epsilon, noise: Noise):
    """All sums of the first answers, each with its noise."""
    total = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps)
        total = total + q_i + eta_i
        yield total


@mechanism
def smart_sum(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    """Sums of the first answers in blocks of M; at the end of a block the sum of its answers gets fresh noise.

    A counter of the place within the block stands for the remainder of a division.
    """
    total = 0
    block = 0
    place = 0
    for q_i in q:
        place = place + 1
        if place == M:
            xi_i = noise.laplace(1 / eps)
            total = block + q_i + xi_i
            block = 0
            place = 0
            yield total
        else:
            eta_i = noise.laplace(1 / eps)
            total = total + q_i + eta_i
            block = block + q_i
            yield total


@mechanism
def smart_sum_without_noise_on_blocks(q: Queries, M: Count, eps: Epsilon, noise: Noise):
    """The sum of a block comes out without noise."""
    total = 0
    block = 0
    place = 0
    for q_i in q:
        place = place + 1
        if place == M:
            total = block + q_i
            block = 0
            place = 0
            yield total
        else:
            eta_i = noise.laplace(1 / eps)
            total = total + q_i + eta_i
            block = block + q_i
            yield total
