"""Sparse vector with geometric noise, one-sided and on the whole numbers (Section 5.2 of the VLDB Journal paper).

Geometric noise starts at 0 here. The paper's table says so too, and gives the mean 1/p, which is that of noise from 1;
the constants below are its means, as printed. They are no whole numbers, so that the gaps are none either, though that
is what the paper wants the noise for; the variants `..._in_steps` subtract nothing.
"""

from typing import Annotated

from alignkit import BELOW, Count, Epsilon, Lattice, Noise, Proportion, Queries, Real, exp, mechanism
from alignkit.mechanisms.adaptive_sparse_vector import MIDDLE, TOP

Counts = Annotated[Queries, Lattice(1)]


@mechanism
def sparse_vector_with_gap_geometric(
    q: Counts, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """SVT with Gap with geometric noise (Algorithm 2, changed as Section 5.2 of the VLDB Journal paper says)."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / (1 - exp(-eps0)), 1 / (1 - exp(-eps1 / 2))
    eta = noise.geometric(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        eta_i = noise.geometric(2 / eps1)
        noisy = q_i + eta_i - b1
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def sparse_vector_with_gap_geometric_in_steps(
    q: Counts, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """SVT with Gap with geometric noise and whole-numbered gaps: nothing is subtracted from the noise."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eta = noise.geometric(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        eta_i = noise.geometric(2 / eps1)
        if q_i + eta_i - threshold >= 0:
            yield q_i + eta_i - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def sparse_vector_with_gap_geometric_monotone(
    q: Counts, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """SVT with Gap with geometric noise as printed, for counting queries: half the noise on each query."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / (1 - exp(-eps0)), 1 / (1 - exp(-eps1))
    eta = noise.geometric(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        eta_i = noise.geometric(1 / eps1)
        noisy = q_i + eta_i - b1
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_geometric(
    q: Counts, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Adaptive SVT with Gap with geometric noise (VLDB Journal paper, Algorithm 3, changed as Section 5.2 says)."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2 = 1 / (1 - exp(-eps0)), 1 / (1 - exp(-eps1 / 2)), 1 / (1 - exp(-eps2 / 2))
    sigma = exp(eps2 / 4) / (exp(eps2 / 2) - 1)
    eta = noise.geometric(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        xi_i = noise.geometric(2 / eps2)
        top = q_i + xi_i - b2
        eta_i = noise.geometric(2 / eps1)
        middle = q_i + eta_i - b1
        if top - threshold >= 2 * sigma:
            yield TOP, top - threshold, eps2
            cost = cost + eps2
        elif middle - threshold >= 0:
            yield MIDDLE, middle - threshold, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_geometric_monotone(
    q: Counts, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Adaptive SVT with Gap with geometric noise for counting queries: half the noise, and its b1, b2 and sigma."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2 = 1 / (1 - exp(-eps0)), 1 / (1 - exp(-eps1)), 1 / (1 - exp(-eps2))
    sigma = exp(eps2 / 2) / (exp(eps2) - 1)
    eta = noise.geometric(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        xi_i = noise.geometric(1 / eps2)
        top = q_i + xi_i - b2
        eta_i = noise.geometric(1 / eps1)
        middle = q_i + eta_i - b1
        if top - threshold >= 2 * sigma:
            yield TOP, top - threshold, eps2
            cost = cost + eps2
        elif middle - threshold >= 0:
            yield MIDDLE, middle - threshold, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_geometric_in_steps(
    q: Counts, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Adaptive SVT with Gap with geometric noise and whole-numbered gaps: nothing is subtracted from the noise.

    The b0, b1, b2 and sigma of Algorithm 3, which are fractions, stand beside the threshold where the two are compared.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2, sigma = 1 / eps0, 2 / eps1, 2 / eps2, 2 / eps2
    eta = noise.geometric(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        xi_i = noise.geometric(2 / eps2)
        top = q_i + xi_i - threshold
        eta_i = noise.geometric(2 / eps1)
        middle = q_i + eta_i - threshold
        if top >= b2 - b0 + 2 * sigma:
            yield TOP, top, eps2
            cost = cost + eps2
        elif middle >= b1 - b0:
            yield MIDDLE, middle, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_geometric_in_steps_monotone(
    q: Counts, T: Annotated[Real, Lattice(1)], k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Adaptive SVT with Gap with geometric noise and whole-numbered gaps for counting queries: half the noise."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2, sigma = 1 / eps0, 1 / eps1, 1 / eps2, 1 / eps2
    eta = noise.geometric(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        xi_i = noise.geometric(1 / eps2)
        top = q_i + xi_i - threshold
        eta_i = noise.geometric(1 / eps1)
        middle = q_i + eta_i - threshold
        if top >= b2 - b0 + 2 * sigma:
            yield TOP, top, eps2
            cost = cost + eps2
        elif middle >= b1 - b0:
            yield MIDDLE, middle, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break
