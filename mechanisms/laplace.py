"""The Laplace mechanism, and the smallest test built on it."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Epsilon, Noise, Positive, Queries, Query, Sensitivity, mechanism


@mechanism
def laplace_mechanism(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    """The vector Laplace mechanism (Theorem 1 of the VLDB 2020 paper)."""
    eta = [noise.laplace(delta / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@mechanism
def noisy_threshold_test(q: Annotated[Query, Sensitivity(100)], eps: Epsilon, noise: Noise):
    """Is the noisy total salary at least 10,000? (Example 2 of the VLDB 2020 paper.)"""
    eta = noise.laplace(100 / eps)
    if q + eta >= 10_000:
        yield ABOVE
    else:
        yield BELOW
