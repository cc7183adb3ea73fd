"""The mean and the scale of its noise use the exact number of people, which is private."""

from alignkit import Epsilon, Noise, Query, mechanism


@mechanism
def mean_with_exact_n(total: Query, size: Query, eps: Epsilon, noise: Noise):
    n = max(1, size)
    eta = noise.laplace(1 / (n * eps))
    return total / n + eta
