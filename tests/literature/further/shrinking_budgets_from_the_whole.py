"""Budgets that shrink by a public ratio, where the first one is the whole budget already."""

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, mechanism


@mechanism
def shrinking_budgets(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
    share = eps
    for q_i in q:
        eta_i = noise.laplace(1 / share)
        yield q_i + eta_i
        share *= r


@alignment(shrinking_budgets, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(q))])
