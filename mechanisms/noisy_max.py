"""Noisy Max: which query has the largest answer, and by how much it leads."""

from alignkit import Epsilon, Noise, Queries, largest, mechanism


@mechanism
def noisy_max(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max (Algorithm 2 of the VLDB 2020 paper, without its boxes)."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_with_gap(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with Gap (Algorithm 2 of the VLDB 2020 paper)."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@mechanism
def noisy_max_exponential(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with one-sided noise (Section 6.2 of the VLDB Journal paper, for k = 1 and without the gap)."""
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_with_gap_exponential(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with Gap with one-sided noise (Section 6.2 of the VLDB Journal paper, for k = 1)."""
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]
