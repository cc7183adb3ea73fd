"""A coarse measurement, and a second one where the first is large."""

from alignkit import Epsilon, Noise, Query, Real, alignment, mechanism


@mechanism
def measured_again(q: Query, T: Real, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps1)
    yield q + e
    if q + e >= T:
        f = noise.laplace(1 / eps2)
        yield q + f


@alignment(measured_again, epsilon="eps1 + eps2")
def phi(q, q_, H):
    return H.shift(e=q - q_, f=q - q_)
