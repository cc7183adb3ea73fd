"""Label privacy by clusters (Esfandiari, Mirrokni, Syed and Vassilvitskii, AISTATS 2022), two labels.

Who changes the label moves from one count of the cluster to the other, so the counts change by at most 2 in all.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Sensitivity, alignment, mechanism

Counts = Annotated[Queries, Sensitivity(2)]


@mechanism
def labels_by_cluster(pos: Counts, neg: Counts, eps: Epsilon, noise: Noise):
    """Put out the noisy counts of both labels in each cluster, and a label drawn by them."""
    for p, m in zip(pos, neg):
        e = noise.laplace(2 / eps)
        f = noise.laplace(2 / eps)
        a = max(p + e, 0) + 1
        b = max(m + f, 0) + 1
        c = noise.choice([a, b])
        yield a, b, c


@alignment(labels_by_cluster, epsilon="eps", adjacency="l1")
def phi(pos, pos_, neg, neg_, omega, H):
    return H.shift(
        e=[pos[i] - pos_[i] for i in range(len(omega))],
        f=[neg[i] - neg_[i] for i in range(len(omega))],
    )
