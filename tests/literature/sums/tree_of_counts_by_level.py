"""Two levels of a hierarchy: every leaf, and the sums of neighbouring leaves."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def tree_of_counts(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        eta_i = noise.laplace(2 / eps)
        yield q_i + eta_i
    for j in range(len(q) // 2):
        xi_j = noise.laplace(2 / eps)
        yield q[2 * j] + q[2 * j + 1] + xi_j


@alignment(tree_of_counts, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(
        eta_i=[q[i] - q_[i] for i in range(len(q))],
        xi_j=[q[2 * j] + q[2 * j + 1] - q_[2 * j] - q_[2 * j + 1] for j in range(len(q) // 2)],
    )
