"""The sum of values that may change by anything, each clipped to a public range."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def clipped_sum(
    q: Annotated[Queries, Sensitivity("delta")], delta: Positive, bound: Positive, eps: Epsilon, noise: Noise
):
    eta = noise.laplace(bound / eps)
    return sum(clamp(q_i, 0, bound) for q_i in q) + eta


@alignment(clipped_sum, epsilon="eps", adjacency="one")
def phi(q, q_, bound, H):
    return H.shift(eta=sum(clamp(x, 0, bound) for x in q) - sum(clamp(x, 0, bound) for x in q_))
