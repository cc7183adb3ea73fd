"""Mechanisms that the catalogue lacks and that public functions are compared with. Some of them are not private."""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Lattice,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Sensitivity,
    clamp,
    exp,
    largest,
    mechanism,
    sqrt,
)

Scores = Annotated[Queries, Sensitivity("delta")]
Answer = Annotated[Query, Sensitivity("delta")]
Bounded = Annotated[Queries, Sensitivity("delta")]
Counts = Annotated[Queries, Sensitivity(1), Lattice(1)]


@mechanism
def noisy_max_delta(q: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max for queries of sensitivity delta: Laplace noise of scale 2 delta / eps."""
    eta = [noise.laplace(2 * delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_delta_half(q: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max with Laplace noise of scale delta / eps: enough for monotone queries only."""
    eta = [noise.laplace(delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_delta_half_with_maximum(q: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max with Laplace noise of scale delta / eps that releases the noisy maximum too: not private."""
    eta = [noise.laplace(delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best, noisy[best]


@mechanism
def noisy_max_exponential_delta(q: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max with one-sided noise of scale 2 delta / eps."""
    eta = [noise.exponential(2 * delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_exponential_delta_half(q: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Max with one-sided noise of scale delta / eps: enough for monotone queries only."""
    eta = [noise.exponential(delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_top_k_delta_half(q: Scores, k: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """Noisy Top-K with Laplace noise of scale delta / eps, whatever k is."""
    eta = [noise.laplace(delta / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    return largest(noisy, k)


@mechanism
def gumbel_max_unit(u: Queries, eps: Epsilon, noise: Noise):
    """The exponential mechanism by Gumbel noise of scale 2 / eps."""
    g = [noise.gumbel(2 / eps) for u_i in u]
    x = [u_i + g_i for u_i, g_i in zip(u, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def gumbel_max_zcdp(u: Scores, delta: Positive, rho: Positive, noise: Noise):
    """The largest score with Gumbel noise of scale delta / sqrt(2 rho)."""
    g = [noise.gumbel(delta * sqrt(1 / (2 * rho))) for u_i in u]
    x = [u_i + g_i for u_i, g_i in zip(u, g)]
    (best,) = largest(x, 1)
    return best


@mechanism
def exponential_by_choice(u: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """The exponential mechanism as a choice with weights exp(eps u_i / (2 delta))."""
    chosen = noise.choice([exp(eps * u_i / (2 * delta)) for u_i in u])
    return chosen


@mechanism
def exponential_by_choice_unit(u: Queries, eps: Epsilon, noise: Noise):
    """The exponential mechanism as a choice with weights exp(eps u_i / 2)."""
    chosen = noise.choice([exp(eps * u_i / 2) for u_i in u])
    return chosen


@mechanism
def exponential_by_choice_of_errors(u: Queries, eps: Epsilon, noise: Noise):
    """The exponential mechanism as a choice with weights exp(eps |u_i| / 2)."""
    chosen = noise.choice([exp(eps * abs(u_i) / 2) for u_i in u])
    return chosen


@mechanism
def permute_and_flip_of_two_base_e(u: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    """Permute and flip for two candidates: if the first one drawn is not accepted, it is the other."""
    top = max(u)
    left = noise.choice([1, 1])
    accepted = noise.choice(
        [1 - exp(eps * (u[left] - top) / (2 * delta)), exp(eps * (u[left] - top) / (2 * delta))]
    )
    return left if accepted == 1 else 1 - left


@mechanism
def first_count(q: Queries, eps: Epsilon, noise: Noise):
    """The first count of a noisy histogram."""
    e = [noise.laplace(1 / eps) for q_i in q]
    return q[0] + e[0]


@mechanism
def laplace_one(x: Answer, delta: Positive, eps: Epsilon, noise: Noise):
    """One answer of sensitivity delta with Laplace noise of scale delta / eps."""
    e = noise.laplace(delta / eps)
    return x + e


@mechanism
def laplace_by_length(q: Queries, eps: Epsilon, noise: Noise):
    """All n answers with Laplace noise of scale n / eps each."""
    e = [noise.laplace(len(q) / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@mechanism
def prefix_sums_unit(q: Queries, eps: Epsilon, noise: Noise):
    """Running totals of answers with Laplace noise of scale 1 / eps each."""
    total: float = 0
    for q_i in q:
        eta_i = noise.laplace(1 / eps)
        total += q_i + eta_i
        yield total


@mechanism
def clipped_mean(q: Bounded, low: Real, width: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    """The mean of answers clipped to an interval, with noise of scale width / (n eps)."""
    e = noise.laplace(width / (len(q) * eps))
    return sum(clamp(x, low, low + width) for x in q) / len(q) + e


@mechanism
def clipped_mean_with_guard(q: Bounded, low: Real, width: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    """The same, with noise of scale 1e-12 at least."""
    e = noise.laplace(max(1 / 1000000000000, width / (len(q) * eps)))
    return sum(clamp(x, low, low + width) for x in q) / len(q) + e


@mechanism
def sparse_vector_losers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """How many queries Sparse Vector found below the threshold, until it stopped at the k-th winner."""
    eta = noise.laplace(2 / eps)
    count = 0
    losers = 0
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            count += 1
            if count >= k:
                break
        else:
            losers += 1
    return losers


@mechanism
def tested_answer_unit(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Algorithm 3 of Lyu, Su and Li's survey for sensitivity 1: releases the noisy answer that was tested."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * k / eps)
        if q_i + nu_i >= T + eta:
            yield q_i + nu_i
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def lee_and_clifton_unit(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Algorithm 4 of Lyu, Su and Li's survey for sensitivity 1: the noise on the queries ignores k."""
    rho = noise.laplace(4 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 / (3 * eps))
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def stoddard_unit(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Algorithm 5 of Lyu, Su and Li's survey for sensitivity 1: no noise on the queries, no bound."""
    rho = noise.laplace(2 / eps)
    for q_i in q:
        if q_i >= T + rho:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def chen_unit(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """Algorithm 6 of Lyu, Su and Li's survey for sensitivity 1 and one threshold: no bound on the winners."""
    rho = noise.laplace(2 / eps)
    for q_i in q:
        nu_i = noise.laplace(2 / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def chen_stopped_unit(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The same, stopped at the k-th winner; the noise on the queries ignores k."""
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def threshold_noise_by_k(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Sparse Vector with threshold noise of scale 2 k / eps that is drawn once."""
    rho = noise.laplace(2 * k / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_delta(q: Scores, T: Real, k: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """Sparse Vector for queries of sensitivity delta."""
    rho = noise.laplace(2 * delta / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k * delta / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def sparse_vector_delta_half(q: Scores, T: Real, k: Count, delta: Positive, eps: Epsilon, noise: Noise):
    """The same with half the noise on each query: enough for monotone queries only."""
    rho = noise.laplace(2 * delta / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * k * delta / eps)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW


@mechanism
def numeric_sparse_fresh(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """NumericSparse with fresh thresholds (Dwork and Roth 2014, Algorithm 3), 8/9 of eps for the tests."""
    first = noise.laplace(9 * k / (4 * eps))
    threshold = T + first
    count = 0
    for q_i in q:
        nu_i = noise.laplace(9 * k / (2 * eps))
        if q_i + nu_i >= threshold:
            upsilon = noise.laplace(9 * k / eps)
            yield q_i + upsilon
            count += 1
            if count >= k:
                break
            fresh = noise.laplace(9 * k / (4 * eps))
            threshold = T + fresh
        else:
            yield BELOW


@mechanism
def adaptive_2020_until_more(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Adaptive Sparse Vector without gaps that goes on where exactly 2 eps2 is left."""
    eps0, eps1, eps2 = eps / 2, eps / (8 * k), eps / (4 * k)
    sigma = 2 * sqrt(2) / eps1
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for i, q_i in enumerate(q):
        xi_i = noise.laplace(1 / eps1)
        eta_i = noise.laplace(1 / eps2)
        if q_i + xi_i - threshold >= sigma:
            yield i, 2
            cost = cost + 2 * eps1
        elif q_i + eta_i - threshold >= 0:
            yield i, 1
            cost = cost + 2 * eps2
        if cost > eps - 2 * eps2:
            break


@mechanism
def adaptive_2020_until_enough(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Algorithm 4 of the VLDB 2020 paper without gaps, as the catalogue has it: stops where 2 eps2 is left."""
    eps0, eps1, eps2 = eps / 2, eps / (8 * k), eps / (4 * k)
    sigma = 2 * sqrt(2) / eps1
    eta = noise.laplace(1 / eps0)
    threshold = T + eta
    cost = eps0
    for i, q_i in enumerate(q):
        xi_i = noise.laplace(1 / eps1)
        eta_i = noise.laplace(1 / eps2)
        if q_i + xi_i - threshold >= sigma:
            yield i, 2
            cost = cost + 2 * eps1
        elif q_i + eta_i - threshold >= 0:
            yield i, 1
            cost = cost + 2 * eps2
        if cost >= eps - 2 * eps2:
            break


@mechanism
def truncated_histogram(q: Counts, eps: Epsilon, noise: Noise):
    """The counts of a histogram with discrete Laplace noise, each clamped to 0 and sys.maxsize afterwards."""
    e = [noise.discrete_laplace(1 / eps, 1) for q_i in q]
    return [clamp(q_i + e_i, 0, 9223372036854775807) for q_i, e_i in zip(q, e)]
