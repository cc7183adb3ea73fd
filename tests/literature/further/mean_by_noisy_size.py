"""A noisy size, then the mean over that size with the noise that the size calls for."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def mean_by_noisy_size(size: Query, total: Query, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps1)
    m = max(1, size + e)
    f = noise.laplace(1 / (eps2 * m))
    return m, total / m + f


@alignment(mean_by_noisy_size, epsilon="eps1 + eps2")
def phi(size, size_, total, total_, omega, H):
    return H.shift(e=size - size_, f=(total - total_) / omega[0])
