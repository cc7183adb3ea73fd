"""A noisy answer, clamped to a public range."""

from alignkit import Epsilon, Noise, Query, Real, alignment, mechanism


@mechanism
def clamped_output(q: Query, low: Real, high: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return max(low, min(high, q + eta))


@alignment(clamped_output, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
