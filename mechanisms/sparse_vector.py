"""The sparse vector technique: which queries of a stream lie above a public threshold."""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Proportion,
    Queries,
    Real,
    Reals,
    Sensitivity,
    mechanism,
)


@mechanism
def sparse_vector(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector (Algorithm 1 of the VLDB 2020 paper, without its box)."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i - (T + eta) >= 0:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with Gap (Algorithm 1 of the VLDB 2020 paper)."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        gap = q_i + eta_i - (T + eta)
        if gap >= 0:
            yield gap
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_gap_by_theta(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """SVT with Gap that spends the share theta of the budget on the threshold (Algorithm 2 of the VLDB Journal paper).

    The paper's output also says what budget was used; the tag tells that, and the variants below leave it out too.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        eta_i = noise.laplace(2 / eps1)
        noisy = q_i + eta_i
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def sparse_vector_many_thresholds(
    q: Annotated[Queries, Sensitivity("delta")], T: Reals, delta: Positive, c: Count, eps: Epsilon, noise: Noise
):
    """Sparse Vector with a threshold for each query (Lyu, Su and Li; Algorithm 1 of Ilvento's paper)."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(delta / eps1)
    count = 0
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(2 * c * delta / eps2)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_monotone(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector for counting queries: Algorithm 1 of the VLDB 2020 paper with half the noise on each query."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / (2 * eps1))
        if q_i + eta_i - (T + eta) >= 0:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_gap_monotone(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """SVT with Gap for counting queries: Algorithm 2 of the VLDB Journal paper with half the noise (its footnote 5)."""
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        noisy = q_i + eta_i
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def sparse_vector_with_gap_exponential(q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise):
    """SVT with Gap by one-sided noise: Algorithm 2 of the VLDB Journal paper, changed as Section 5.2 says.

    The expected values of the noise, b0 and b1, are subtracted as in Algorithm 3.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / eps0, 2 / eps1
    eta = noise.exponential(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        eta_i = noise.exponential(2 / eps1)
        noisy = q_i + eta_i - b1
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break


@mechanism
def sparse_vector_with_gap_exponential_monotone(
    q: Queries, T: Real, k: Count, eps: Epsilon, theta: Proportion, noise: Noise
):
    """SVT with Gap by one-sided noise for counting queries: half the noise (Section 5.2 of the VLDB Journal paper).

    b1 = 1 / eps is as printed. The expected value of the noise is 1 / eps1; a public constant moves the gaps and
    changes nothing for privacy.
    """
    eps0, eps1 = theta * eps, (1 - theta) * eps / k
    b0, b1 = 1 / eps0, 1 / eps
    eta = noise.exponential(1 / eps0)
    threshold = T + eta - b0
    cost = eps0
    for q_i in q:
        eta_i = noise.exponential(1 / eps1)
        noisy = q_i + eta_i - b1
        if noisy - threshold >= 0:
            yield noisy - threshold
            cost = cost + eps1
        else:
            yield BELOW
        if cost > eps - eps1:
            break
