"""Labels of the leaves of a random tree: Jagannathan, Pillaipakkamnatt and Wright, Random Decision Trees, 2012."""

from alignkit import Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

YES = Tag("YES")
NO = Tag("NO")
PRUNED = Tag("PRUNED")


@mechanism
def labels(yes: Queries, no: Queries, support: Real, eps: Epsilon, noise: Noise):
    for y, n in zip(yes, no):
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        if y + e + n + f < support:
            yield PRUNED
        elif y + e >= n + f:
            yield YES
        else:
            yield NO


@alignment(labels, epsilon="eps", adjacency="one")
def phi(yes, yes_, no, no_, omega, H):
    """Both noisy counts of every leaf stay the same."""
    return H.shift(
        e=[yes[i] - yes_[i] for i in range(len(omega))],
        f=[no[i] - no_[i] for i in range(len(omega))],
    )
