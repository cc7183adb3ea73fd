"""The mean with noise that is divided by the number of values twice."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def mean_with_little_noise(q: Queries, eps: Epsilon, noise: Noise):
    n = len(q)
    eta = noise.laplace(1 / (n * n * eps))
    return sum(q) / n + eta


@alignment(mean_with_little_noise, epsilon="eps", adjacency="one", expect="refuted")
def phi(q, q_, H):
    return H.shift(eta=(sum(q) - sum(q_)) / len(q))
