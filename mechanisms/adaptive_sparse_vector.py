"""Adaptive sparse vector: answers far above the threshold get more noise, and so cost less of the budget."""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, Tag, mechanism, sqrt

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")


@mechanism
def adaptive_sparse_vector_2020(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Adaptive Sparse Vector with Gap (Algorithm 4 of the VLDB 2020 paper); each output says what it cost.

    It stops where less than 2 eps2 is left before the last answer, not after it: for k > 1 it never spends all of
    the budget.
    """
    eps0, eps1, eps2 = eps / 2, eps / (8 * k), eps / (4 * k)
    sigma = 2 * sqrt(2) / eps1
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        xi_i = noise.laplace(1 / eps1)
        eta_i = noise.laplace(1 / eps2)
        if q_i + xi_i - threshold >= sigma:
            yield TOP, q_i + xi_i - threshold, 2 * eps1
            cost = cost + 2 * eps1
        elif q_i + eta_i - threshold >= 0:
            yield MIDDLE, q_i + eta_i - threshold, 2 * eps2
            cost = cost + 2 * eps2
        else:
            yield BELOW, 0
        if cost >= eps - 2 * eps2:
            break
