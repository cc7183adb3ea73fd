"""The sum of all answers with Laplace noise; the changes of the answers add up to at most 1."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def laplace_sum(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return sum(q) + eta


@alignment(laplace_sum, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(eta=sum(q) - sum(q_))
