"""The mean of estimates from k disjoint parts of the data, each clamped to [0, 1]; one person changes one estimate."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def aggregate(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    k = len(q)
    eta = noise.laplace(1 / (k * eps))
    return sum(clamp(q_i, 0, 1) for q_i in q) / k + eta


@alignment(aggregate, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(eta=(sum(clamp(x, 0, 1) for x in q) - sum(clamp(x, 0, 1) for x in q_)) / len(q))
