"""The matrix mechanism: Li, Hay, Rastogi, Miklau and McGregor, Optimizing Linear Counting Queries, PODS 2010.

The answers a to the queries of the strategy have L1 sensitivity s; R, row by row, makes the workload of them.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, mechanism

Strategy = Annotated[Queries, Sensitivity("s")]


@mechanism
def matrix_mechanism(a: Strategy, R: Reals, workload: Count, s: Positive, eps: Epsilon, noise: Noise):
    e = [noise.laplace(s / eps) for a_j in a]
    noisy = [a_j + e_j for a_j, e_j in zip(a, e)]
    return [sum(R[i * len(a) + j] * y for j, y in enumerate(noisy)) for i in range(workload)]


@alignment(matrix_mechanism, epsilon="eps", adjacency="l1")
def phi(a, a_, H):
    return H.shift(e=[a[j] - a_[j] for j in range(len(a))])
