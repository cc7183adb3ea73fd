"""Two levels of a prefix tree: Chen, Fung, Desai and Sossou, Differentially Private Transit Data Publication, KDD 2012.

Node i has the b children b * i, …, b * i + b - 1; they are counted only if the node seems to be large.
"""

from alignkit import BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def prefix_tree(c: Queries, b: Count, theta: Real, eps: Epsilon, noise: Noise):
    for i in range(len(c) // b):
        e_i = noise.laplace(2 / eps)
        size = sum(c[b * i + j] for j in range(b)) + e_i
        if size >= theta:
            yield size
            for j in range(b):
                f = noise.laplace(2 / eps)
                yield c[b * i + j] + f
        else:
            yield BELOW


@alignment(prefix_tree, epsilon="eps", adjacency="one")
def phi(c, c_, b, H):
    """One child changes, and so does its parent."""
    nodes = len(c) // b
    return H.shift(
        e_i=[sum(c[b * i + j] - c_[b * i + j] for j in range(b)) for i in range(nodes)],
        f=[[c[b * i + j] - c_[b * i + j] for j in range(b)] for i in range(nodes)],
    )
