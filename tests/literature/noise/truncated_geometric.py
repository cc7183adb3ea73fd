"""A count with two-sided geometric noise, clamped to 0, …, n."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Query, alignment, clamp, mechanism


@mechanism
def truncated_geometric(q: Annotated[Query, Lattice(1)], n: Count, eps: Epsilon, noise: Noise):
    xi = noise.discrete_laplace(1 / eps, 1)
    return clamp(q + xi, 0, n)


@alignment(truncated_geometric, epsilon="eps")
def phi(q, q_, H):
    return H.shift(xi=q - q_)
