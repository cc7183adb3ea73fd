"""An answer with Laplace noise that is clamped to a public range."""

from alignkit import Epsilon, Noise, Positive, Query, clamp, mechanism


@mechanism
def truncated_laplace(q: Query, bound: Positive, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + clamp(eta, -bound, bound)
