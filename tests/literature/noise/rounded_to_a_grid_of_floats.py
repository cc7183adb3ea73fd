"""The snapping mechanism over the real numbers: the noisy answer is rounded to a grid, and clamped."""

from alignkit import Epsilon, Noise, Positive, Query, alignment, clamp, mechanism


@mechanism
def snapping(q: Query, bound: Positive, step: Positive, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return clamp(step * round((clamp(q, -bound, bound) + eta) / step), -bound, bound)


@alignment(snapping, epsilon="eps")
def phi(q, q_, bound, H):
    return H.shift(eta=clamp(q, -bound, bound) - clamp(q_, -bound, bound))
