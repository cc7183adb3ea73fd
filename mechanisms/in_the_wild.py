"""Sparse vectors and noise in released code, before and after each fix; docs/in_the_wild.md names the sources."""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Reals,
    Sensitivity,
    clamp,
    mechanism,
)

Weights = Annotated[Queries, Sensitivity("gamma")]
Coordinates = Annotated[Queries, Sensitivity("delta")]
Coordinate = Annotated[Query, Sensitivity("delta")]


@mechanism
def nvflare_selection_before(
    q: Weights, tau: Real, c: Count, gamma: Positive, ratio: Positive, eps: Epsilon, noise: Noise
):
    """NVFlare's SVTPrivacy before commit 0088fba9d, stopped at the c-th winner; there ratio is (2c)^(2/3)."""
    eps2 = eps * ratio
    rho = noise.laplace(2 * gamma / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * gamma * c / eps2)
        if q_i + nu_i >= tau + rho:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def nvflare_selection_after(
    q: Weights, tau: Real, c: Count, gamma: Positive, ratio: Positive, eps: Epsilon, noise: Noise
):
    """NVFlare's SVTPrivacy as of commit 0088fba9d, stopped at the c-th winner; there ratio is (2c)^(2/3)."""
    eps_t = eps / (1 + ratio)
    eps_q = eps - eps_t
    rho = noise.laplace(gamma / eps_t)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(2 * gamma * c / eps_q)
        if q_i + nu_i >= tau + rho:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def nvflare_unsampled_before(
    w: Coordinates, sampled: Reals, gamma: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    """NVFlare before commit 20c65b1dd: of the accepted weights, those that are not sampled leave as they are."""
    e = [noise.laplace(2 * gamma / eps) for w_i in w]
    return [clamp(x + e_i, -gamma, gamma) if s > 0 else x for x, s, e_i in zip(w, sampled, e)]


@mechanism
def nvflare_unsampled_after(
    w: Coordinates, sampled: Reals, gamma: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    """NVFlare as of commit 20c65b1dd: accepted weights that are not sampled are set to 0."""
    e = [noise.laplace(2 * gamma / eps) for w_i in w]
    return [clamp(x + e_i, -gamma, gamma) if s > 0 else 0 for x, s, e_i in zip(w, sampled, e)]


@mechanism
def nvflare_release_before(w: Coordinate, gamma: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    """NVFlare before commit 0088fba9d: noise for a weight within [-gamma, gamma], clipped only afterwards."""
    e = noise.laplace(2 * gamma / eps)
    return clamp(w + e, -gamma, gamma)


@mechanism
def nvflare_release_after(w: Coordinate, gamma: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    """NVFlare as of commit 0088fba9d: a selected weight is clipped, and then noise is added."""
    e = noise.laplace(2 * gamma / eps)
    return clamp(w, -gamma, gamma) + e


@mechanism
def sparse_vector_scale_as_location(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    """The scales are passed as locations: all noise has scale 1, about 2 / eps and about 4 c / eps."""
    eta = noise.laplace(1)
    threshold = T + 2 / eps + eta
    count = 0
    for q_i in q:
        eta_i = noise.laplace(1)
        if q_i + 4 * c / eps + eta_i >= threshold:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def sparse_vector_scale_as_scale(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    """The same sparse vector with its scales passed as scales."""
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        eta_i = noise.laplace(4 * c / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def sparse_vector_fresh_thresholds(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    """A fresh noisy threshold for each query, noise of scale 2 / eps on both sides, and no bound on the winners."""
    for q_i in q:
        eta_i = noise.laplace(2 / eps)
        nu_i = noise.laplace(2 / eps)
        if q_i + nu_i > T + eta_i:
            yield ABOVE
        else:
            yield BELOW


@mechanism
def sparse_vector_tested_answer(q: Queries, T: Real, c: Count, eps: Epsilon, noise: Noise):
    """Releases the noisy answer that was tested; threshold and answers have noise of scale 1 / eps."""
    eta = noise.laplace(1 / eps)
    count = 0
    for q_i in q:
        nu_i = noise.laplace(1 / eps)
        if q_i + nu_i >= T + eta:
            yield q_i + nu_i
            count += 1
        else:
            yield BELOW
        if count >= c:
            break
