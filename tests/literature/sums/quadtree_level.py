"""A cell with its four quarters: the sum of the quarters, then each of them."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def quadtree_level(a: Query, b: Query, c: Query, d: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    xi = [noise.laplace(2 / eps) for j in range(4)]
    return a + b + c + d + eta, a + xi[0], b + xi[1], c + xi[2], d + xi[3]


@alignment(quadtree_level, epsilon="eps", adjacency="one")
def phi(a, b, c, d, a_, b_, c_, d_, H):
    return H.shift(eta=a + b + c + d - a_ - b_ - c_ - d_, xi=[a - a_, b - b_, c - c_, d - d_])
