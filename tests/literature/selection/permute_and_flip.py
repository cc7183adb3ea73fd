"""Permute and flip, as noisy max with one-sided exponential noise."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def permute_and_flip(u: Queries, eps: Epsilon, noise: Noise):
    e = [noise.exponential(2 / eps) for u_i in u]
    (best,) = largest([u_i + e_i for u_i, e_i in zip(u, e)], 1)
    return best


@alignment(permute_and_flip, epsilon="eps")
def phi(u, u_, omega, H):
    return H.shift(e=[1 + u[i] - u_[i] if i == omega else 0 for i in range(len(u))])
