"""The noisy nodes of a tree of counts over eight steps; each answer is in four nodes."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def tree_counter(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 / eps) for j in range(15)]
    leaves = [q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]]
    pairs = [q[0] + q[1], q[2] + q[3], q[4] + q[5], q[6] + q[7]]
    halves = [pairs[0] + pairs[1], pairs[2] + pairs[3]]
    nodes = [*leaves, *pairs, *halves, halves[0] + halves[1]]
    return [node + eta_j for node, eta_j in zip(nodes, eta)]


@alignment(tree_counter, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    x = [q[i] - q_[i] for i in range(8)]
    pairs = [x[0] + x[1], x[2] + x[3], x[4] + x[5], x[6] + x[7]]
    halves = [pairs[0] + pairs[1], pairs[2] + pairs[3]]
    return H.shift(eta=[*x, *pairs, *halves, halves[0] + halves[1]])
