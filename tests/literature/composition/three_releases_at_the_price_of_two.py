"""One answer is measured three times at eps each, and 2 * eps is claimed."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def three_releases(q: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    f = noise.laplace(1 / eps)
    g = noise.laplace(1 / eps)
    return q + e, q + f, q + g


@alignment(three_releases, epsilon="2 * eps", expect="refuted")
def phi(q, q_, H):
    return H.shift(e=q - q_, f=q - q_, g=q - q_)
