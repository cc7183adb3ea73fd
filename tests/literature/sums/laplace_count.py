"""How many people have an answer above a public level."""

from alignkit import Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def laplace_count(q: Queries, level: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return sum(1 if q_i >= level else 0 for q_i in q) + eta


@alignment(laplace_count, epsilon="eps", adjacency="one")
def phi(q, q_, level, H):
    before = sum(1 if q_i >= level else 0 for q_i in q)
    after = sum(1 if q_i >= level else 0 for q_i in q_)
    return H.shift(eta=before - after)
