"""The Misra-Gries sketch with pure privacy: Lebeda and Tětek, Better Differentially Private Histograms, PODS 2023.

Once it is reduced, one element changes the counters by at most 2 in all; every item of the universe gets noise.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Real, Sensitivity, alignment, mechanism

Counters = Annotated[Queries, Sensitivity(2)]


@mechanism
def misra_gries(c: Counters, threshold: Real, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for c_i in c]
    noisy = [c_i + e_i for c_i, e_i in zip(c, e)]
    return [(i, y) for i, y in enumerate(noisy) if y > threshold]


@alignment(misra_gries, epsilon="eps", adjacency="l1")
def phi(c, c_, H):
    return H.shift(e=[c[i] - c_[i] for i in range(len(c))])
