"""Mechanisms whose alignments have no acyclic order: what the general theorem is for.

The theorem is Theorem 8 of the VLDB Journal extension (Theorem 4 of the VLDB 2020 paper); the mechanisms are ours.
"""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Query, clamp, largest, mechanism


@mechanism
def one_sided_max_with_gap(q: Queries, eps: Epsilon, noise: Noise):
    """Noisy Max with Gap on exponential noise, which cannot be lowered below 0."""
    eta = [noise.exponential(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@mechanism
def one_sided_threshold_test(q: Query, eps: Epsilon, noise: Noise):
    """Does exponential noise reach the answer, clamped to [1, 2]?"""
    level = clamp(q, 1, 2)
    eta = noise.exponential(1 / eps)
    if eta >= level:
        yield ABOVE
    else:
        yield BELOW
