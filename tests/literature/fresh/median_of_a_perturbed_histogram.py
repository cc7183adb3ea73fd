"""The median of a histogram with noisy cells: the first cell at which half of the noisy total is reached.

Lei, Differentially Private M-Estimators, NIPS 2011, the perturbed histogram, with the absolute loss. A row moves from
one cell to another.
"""

from typing import Annotated

from alignkit import BELOW, Epsilon, Noise, Queries, Sensitivity, alignment, mechanism


@mechanism
def perturbed_median(q: Annotated[Queries, Sensitivity(2)], eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
    half = sum(noisy) / 2
    reached = 0
    for i, y in enumerate(noisy):
        reached += y
        if reached >= half:
            return i
    return BELOW


@alignment(perturbed_median, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
