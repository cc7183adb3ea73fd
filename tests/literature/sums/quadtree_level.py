"""A cell with its four quarters: the sum of the quarters, then each of them."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def quadtree_level(q: Queries, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    xi = [noise.laplace(2 / eps) for j in range(4)]
    return q[0] + q[1] + q[2] + q[3] + eta, q[0] + xi[0], q[1] + xi[1], q[2] + xi[2], q[3] + xi[3]


@alignment(quadtree_level, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    x = [q[i] - q_[i] for i in range(4)]
    return H.shift(eta=x[0] + x[1] + x[2] + x[3], xi=x)
