"""Sparse vectors that are not private, or not as private as claimed: the ones of Lyu, Su and Li's survey, and more."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Positive, Queries, Real, Reals, Sensitivity, mechanism

Answers = Annotated[Queries, Sensitivity("delta")]


@mechanism
def sparse_vector_without_bound(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """No bound on the winners: it never stops, however many answers lie above."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i >= T + eta:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def sparse_vector_without_query_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """No noise on the queries: only the threshold is noisy."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        if q_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_little_noise(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Query noise that does not grow with k: enough for one winner, too little for more."""
    eps0, eps1 = eps / 2, eps / 4
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_answer(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Releases the noisy answer that was tested, not the gap: the threshold's noise no longer hides it."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_with_public_gap(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Releases the gap to the threshold without the threshold's noise."""
    eps0, eps1 = eps / 2, eps / (4 * k)
    eta = noise.laplace(1 / eps0)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps1)
        if q_i + eta_i >= T + eta:
            yield q_i + eta_i - T
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def sparse_vector_without_break(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with Gap that counts its winners and does not stop at k."""
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


@mechanism
def sparse_vector_of_lee_and_clifton(
    q: Answers, T: Real, c: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    """Algorithm 4 of Lyu, Su and Li's survey (Lee and Clifton's): the noise on the queries ignores c."""
    eps1 = eps / 4
    eps2 = eps - eps1
    rho = noise.laplace(delta / eps1)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(delta / eps2)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_of_stoddard(q: Answers, T: Real, delta: Positive, eps: Epsilon, noise: Noise):
    """Algorithm 5 of Lyu, Su and Li's survey (Stoddard, Chen and Machanavajjhala's): no query noise, no bound."""
    eps1 = eps / 2
    rho = noise.laplace(delta / eps1)
    for q_i in q:
        if q_i >= T + rho:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def sparse_vector_of_chen(q: Answers, T: Reals, delta: Positive, eps: Epsilon, noise: Noise):
    """Algorithm 6 of Lyu, Su and Li's survey (Chen and others'): no bound on the winners, many thresholds."""
    eps1 = eps / 2
    eps2 = eps - eps1
    rho = noise.laplace(delta / eps1)
    for q_i, T_i in zip(q, T):
        nu_i = noise.laplace(delta / eps2)
        if q_i + nu_i >= T_i + rho:
            yield ABOVE
        else:
            yield BELOW
