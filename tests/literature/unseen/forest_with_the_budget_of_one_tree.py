"""A forest of random trees, each with the whole budget: after Jagannathan, Pillaipakkamnatt and Wright, 2012.

All trees see the same examples, x of each kind; leaf, tree by tree, says in which leaf a kind comes.
"""

from alignkit import Count, Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def forest(x: Queries, leaf: Reals, trees: Count, leaves: Count, eps: Epsilon, noise: Noise):
    for t in range(trees):
        for k in range(leaves):
            e = noise.laplace(1 / eps)
            yield sum(x_j for j, x_j in enumerate(x) if leaf[t * len(x) + j] == k) + e


@alignment(forest, epsilon="eps", adjacency="one", expect="refuted")
def phi(x, x_, leaf, trees, leaves, H):
    """Every tree pays for the example that changes."""
    n = len(x)
    return H.shift(
        e=[
            [sum(x[j] - x_[j] for j in range(n) if leaf[t * n + j] == k) for k in range(leaves)]
            for t in range(trees)
        ]
    )
