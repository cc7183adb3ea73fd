"""The sum of all answers, added up in a loop."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def partial_sum(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total += q_i
    eta = noise.laplace(1 / eps)
    return total + eta


@alignment(partial_sum, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(eta=sum(q) - sum(q_))
