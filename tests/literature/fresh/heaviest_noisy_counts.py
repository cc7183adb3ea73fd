"""Of a histogram with noise in whole numbers only the k heaviest cells are kept, with their counts between 0 and n.

Balcer and Vadhan, Differential Privacy on Finite Computers, ITCS 2018, geometric noise of bounded range, and KeepHeavy.
A row moves from one cell to another.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Queries, Sensitivity, alignment, clamp, largest, mechanism


@mechanism
def heaviest_noisy_counts(
    q: Annotated[Queries, Sensitivity(2), Lattice(1)], n: Count, k: Count, eps: Epsilon, noise: Noise
):
    e = [noise.discrete_laplace(2 / eps, 1) for q_i in q]
    noisy = [clamp(q_i + e_i, 0, n) for q_i, e_i in zip(q, e)]
    return [(i, noisy[i]) for i in largest(noisy, k)]


@alignment(heaviest_noisy_counts, epsilon="eps", adjacency="l1")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
