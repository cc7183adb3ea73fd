"""A noisy sum over a noisy count that is kept at least 1."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def noisy_mean(total: Query, size: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    return (total + e) / max(1, size + f)


@alignment(noisy_mean, epsilon="eps")
def phi(total, total_, size, size_, H):
    return H.shift(e=total - total_, f=size - size_)
