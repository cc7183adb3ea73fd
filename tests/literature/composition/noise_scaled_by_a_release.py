"""A small noisy count is measured again with less noise, which the first measurement decides."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def measured_twice(q: Query, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps1)
    first = q + e
    f = noise.laplace(max(1, abs(first)) / eps2)
    return first, q + f


@alignment(measured_twice, epsilon="eps1 + eps2")
def phi(q, q_, H):
    return H.shift(e=q - q_, f=q - q_)
