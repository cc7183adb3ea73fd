"""A tree of counts with leaves, pairs and fours, each with the noise for two levels."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def three_levels(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield q_i + e
    for j in range(len(q) // 2):
        f = noise.laplace(2 / eps)
        yield sum(q[i] for i in range(2 * j, 2 * j + 2)) + f
    for j in range(len(q) // 4):
        g = noise.laplace(2 / eps)
        yield sum(q[i] for i in range(4 * j, 4 * j + 4)) + g


@alignment(three_levels, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    x = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(
        e=x,
        f=[sum(x[i] for i in range(2 * j, 2 * j + 2)) for j in range(len(q) // 2)],
        g=[sum(x[i] for i in range(4 * j, 4 * j + 4)) for j in range(len(q) // 4)],
    )
