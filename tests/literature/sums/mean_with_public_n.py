"""The mean of values, whose number is public."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def mean_with_public_n(q: Queries, eps: Epsilon, noise: Noise):
    n = len(q)
    eta = noise.laplace(1 / (n * eps))
    return sum(q) / n + eta


@alignment(mean_with_public_n, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(eta=(sum(q) - sum(q_)) / len(q))
