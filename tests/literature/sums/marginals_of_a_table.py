"""The row and column sums of a table of two by two."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def marginals(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for j in range(4)]
    return q[0] + q[1] + eta[0], q[2] + q[3] + eta[1], q[0] + q[2] + eta[2], q[1] + q[3] + eta[3]


@alignment(marginals, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    x = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(eta=[x[0] + x[1], x[2] + x[3], x[0] + x[2], x[1] + x[3]])
