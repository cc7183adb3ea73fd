"""FAST: at most M of the answers are sampled, sooner if the last sample changed the estimate much."""

from alignkit import Count, Epsilon, Noise, Positive, Proportion, Queries, alignment, mechanism


@mechanism
def fast(
    q: Queries, M: Count, interval: Count, gain: Proportion, tolerance: Positive, eps: Epsilon, noise: Noise
):
    estimate = 0
    samples = 0
    at = 0
    for i, q_i in enumerate(q):
        if i >= at and samples < M:
            eta_i = noise.laplace(M / eps)
            prior = estimate
            estimate = prior + gain * (q_i + eta_i - prior)
            samples += 1
            at = i + (1 if abs(estimate - prior) > tolerance else interval)
        yield estimate


@alignment(fast, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
