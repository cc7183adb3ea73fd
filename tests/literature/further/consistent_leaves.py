"""A noisy root and its noisy leaves, made consistent by least squares."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def consistent_leaves(q: Queries, eps: Epsilon, noise: Noise):
    root = noise.laplace(2 / eps)
    leaf = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e for q_i, e in zip(q, leaf)]
    surplus = (sum(q) + root - sum(noisy)) / (len(q) + 1)
    return [x + surplus for x in noisy]


@alignment(consistent_leaves, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(root=sum(q) - sum(q_), leaf=[q[i] - q_[i] for i in range(len(q))])
