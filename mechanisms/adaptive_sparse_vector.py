"""Adaptive sparse vector: answers far above the threshold get more noise, and so cost less of the budget."""

from alignkit import BELOW, Count, Epsilon, Noise, Proportion, Queries, Real, Tag, mechanism, sqrt

TOP, MIDDLE = Tag("TOP"), Tag("MIDDLE")
FIRST, SECOND, THIRD = Tag("FIRST"), Tag("SECOND"), Tag("THIRD")


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


@mechanism
def adaptive_sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Adaptive SVT with Gap (Algorithm 1 of the VLDB Journal paper); each output says what it cost.

    Its first branch asks for a lead of 2 sigma; the proof of the paper's Lemma 2 writes sigma.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    sigma = 2 * sqrt(2) / eps2
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        xi_i = noise.laplace(2 / eps2)
        eta_i = noise.laplace(2 / eps1)
        if q_i + xi_i - threshold >= 2 * sigma:
            yield TOP, q_i + xi_i - threshold, eps2
            cost = cost + eps2
        elif q_i + eta_i - threshold >= 0:
            yield MIDDLE, q_i + eta_i - threshold, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_monotone(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Adaptive SVT with Gap for counting queries: half the noise on each query (the text after Theorem 2).

    Sigma is as in Algorithm 1, which the text does not change.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    sigma = 2 * sqrt(2) / eps2
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        xi_i = noise.laplace(1 / eps2)
        eta_i = noise.laplace(1 / eps1)
        if q_i + xi_i - threshold >= 2 * sigma:
            yield TOP, q_i + xi_i - threshold, eps2
            cost = cost + eps2
        elif q_i + eta_i - threshold >= 0:
            yield MIDDLE, q_i + eta_i - threshold, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break


@mechanism
def adaptive_sparse_vector_exponential(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Adaptive SVT with Gap by one-sided noise (Algorithm 3 of the VLDB Journal paper)."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2, sigma = 1 / eps0, 2 / eps1, 2 / eps2, 2 / eps2
    eta = noise.exponential(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        xi_i = noise.exponential(2 / eps2)
        top = q_i + xi_i - b2
        eta_i = noise.exponential(2 / eps1)
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
def adaptive_sparse_vector_exponential_monotone(
    q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """Algorithm 3 of the VLDB Journal paper for counting queries: half the noise, and b1, b2, sigma as its text says.

    b1 = 1 / eps is as printed. The expected value of the noise is 1 / eps1; a public constant moves the gaps and
    changes nothing for privacy.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2 = eps1 / 2
    b0, b1, b2, sigma = 1 / eps0, 1 / eps, 1 / eps2, 1 / eps2
    eta = noise.exponential(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        xi_i = noise.exponential(1 / eps2)
        top = q_i + xi_i - b2
        eta_i = noise.exponential(1 / eps1)
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
def adaptive_sparse_vector_many_branches(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """Algorithm 1 of the VLDB Journal paper with one more branch, as the text after its Theorem 2 suggests."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eps2, eps3 = eps1 / 2, eps1 / 4
    sigma2, sigma3 = 2 * sqrt(2) / eps2, 2 * sqrt(2) / eps3
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        zeta_i = noise.laplace(2 / eps3)
        xi_i = noise.laplace(2 / eps2)
        eta_i = noise.laplace(2 / eps1)
        if q_i + zeta_i - threshold >= 2 * sigma3:
            yield FIRST, q_i + zeta_i - threshold, eps3
            cost = cost + eps3
        elif q_i + xi_i - threshold >= 2 * sigma2:
            yield SECOND, q_i + xi_i - threshold, eps2
            cost = cost + eps2
        elif q_i + eta_i - threshold >= 0:
            yield THIRD, q_i + eta_i - threshold, eps1
            cost = cost + eps1
        else:
            yield BELOW, 0
        if cost > eps - eps1:
            break
