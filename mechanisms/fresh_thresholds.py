"""Sparse vector with a fresh threshold after each winner."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, mechanism


@mechanism
def sparse_vector_with_fresh_thresholds(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Algorithm 2 of Lyu, Su and Li (VLDB 2017), the sparse vector of Dwork and Roth, with sensitivity 1."""
    first = noise.laplace(2 * k / eps)
    threshold = T + first
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= threshold:
            yield ABOVE
            count += 1
            if count >= k:
                break
            fresh = noise.laplace(2 * k / eps)
            threshold = T + fresh
        else:
            yield BELOW


@mechanism
def sparse_vector_with_gap_and_fresh_thresholds(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """The same, and each winner comes with its gap above the noisy threshold."""
    first = noise.laplace(2 * k / eps)
    threshold = T + first
    count = 0
    for q_i in q:
        nu_i = noise.laplace(4 * k / eps)
        if q_i + nu_i >= threshold:
            yield q_i + nu_i - threshold
            count += 1
            if count >= k:
                break
            fresh = noise.laplace(2 * k / eps)
            threshold = T + fresh
        else:
            yield BELOW
