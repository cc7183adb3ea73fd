"""A Count-Min sketch of two rows: the items' counts are added up by public hash values, and each sum gets noise.

Melis, Danezis and De Cristofaro, Efficient Private Statistics with Succinct Sketches, NDSS 2016.
"""

from alignkit import Count, Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def count_min_sketch(q: Queries, h: Reals, g: Reals, width: Count, eps: Epsilon, noise: Noise):
    for b in range(width):
        e_b = noise.laplace(2 / eps)
        yield sum(q[i] for i in range(len(q)) if h[i] == b) + e_b
    for b in range(width):
        f_b = noise.laplace(2 / eps)
        yield sum(q[i] for i in range(len(q)) if g[i] == b) + f_b


@alignment(count_min_sketch, epsilon="eps", adjacency="one")
def phi(q, q_, h, g, width, H):
    n = len(q)
    return H.shift(
        e_b=[sum(q[i] - q_[i] for i in range(n) if h[i] == b) for b in range(width)],
        f_b=[sum(q[i] - q_[i] for i in range(n) if g[i] == b) for b in range(width)],
    )
