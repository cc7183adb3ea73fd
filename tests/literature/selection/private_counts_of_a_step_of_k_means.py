"""The sizes of the clusters; a person who moves changes one size."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def sizes(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(sizes, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])
