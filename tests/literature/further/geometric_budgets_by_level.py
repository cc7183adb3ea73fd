"""The counts on a path of a tree, one a level: the budget shrinks by a public ratio from level to level."""

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, mechanism


@mechanism
def counts_on_a_path(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
    share = eps * (1 - r)
    for q_i in q:
        eta_i = noise.laplace(1 / share)
        yield q_i + eta_i
        share *= r


@alignment(counts_on_a_path, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(q))])
