"""A one-sided test of a count, by its value with two-sided geometric noise."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Epsilon, Lattice, Noise, Query, Real, alignment, mechanism


@mechanism
def binomial_test(q: Annotated[Query, Lattice(1)], critical: Real, eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps, 1)
    if q + eta >= critical:
        return ABOVE
    else:
        return BELOW


@alignment(binomial_test, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
