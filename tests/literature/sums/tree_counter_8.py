"""The noisy nodes of a tree of counts over eight steps; each answer is in four nodes."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def tree_counter(
    a: Query, b: Query, c: Query, d: Query, e: Query, f: Query, g: Query, h: Query, eps: Epsilon, noise: Noise
):
    eta = [noise.laplace(4 / eps) for j in range(15)]
    leaves = [a, b, c, d, e, f, g, h]
    pairs = [a + b, c + d, e + f, g + h]
    halves = [a + b + c + d, e + f + g + h]
    nodes = [*leaves, *pairs, *halves, a + b + c + d + e + f + g + h]
    return [node + eta_j for node, eta_j in zip(nodes, eta)]


@alignment(tree_counter, epsilon="eps", adjacency="one")
def phi(a, b, c, d, e, f, g, h, a_, b_, c_, d_, e_, f_, g_, h_, H):
    x = [a - a_, b - b_, c - c_, d - d_, e - e_, f - f_, g - g_, h - h_]
    pairs = [x[0] + x[1], x[2] + x[3], x[4] + x[5], x[6] + x[7]]
    halves = [pairs[0] + pairs[1], pairs[2] + pairs[3]]
    return H.shift(eta=[*x, *pairs, *halves, halves[0] + halves[1]])
