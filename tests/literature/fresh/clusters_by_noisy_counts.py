"""Cells are put into two clusters by their noisy counts, and the sum of each cluster is measured afresh.

Zhang, Chen, Xu, Meng and Xie, Towards Accurate Histogram Publication under Differential Privacy (AHP), SDM 2014, with
the clusters of the cells below and above a threshold.
"""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def clusters(q: Queries, T: Real, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps1) for q_i in q]
    noisy = [q_i + e_i for q_i, e_i in zip(q, e)]
    f = noise.laplace(1 / eps2)
    g = noise.laplace(1 / eps2)
    small = sum(q_i for q_i, y in zip(q, noisy) if y < T) + f
    large = sum(q_i for q_i, y in zip(q, noisy) if y >= T) + g
    return [BELOW if y < T else ABOVE for y in noisy], small, large


@alignment(clusters, epsilon="eps1 + eps2", adjacency="one")
def phi(q, q_, T, H):
    n = len(q)
    return H.shift(
        e=[q[i] - q_[i] for i in range(n)],
        f=sum(q[i] - q_[i] for i in range(n) if q[i] + H.e[i] < T),
        g=sum(q[i] - q_[i] for i in range(n) if q[i] + H.e[i] >= T),
    )
