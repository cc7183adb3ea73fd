"""One of k values is told, the true one with odds of exp(eps) to 1 against each other value."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Query, alignment, exp, mechanism


@mechanism
def k_ary(q: Annotated[Query, Lattice(1)], k: Count, eps: Epsilon, noise: Noise):
    told = noise.choice([exp(eps) if j == q else 1 for j in range(k)])
    return told


@alignment(k_ary, epsilon="eps")
def phi(H):
    return H.shift()
