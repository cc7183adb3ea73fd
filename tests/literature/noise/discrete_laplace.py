"""A count with two-sided geometric noise."""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Query, alignment, mechanism


@mechanism
def noisy_count(q: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps, 1)
    return q + eta


@alignment(noisy_count, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
