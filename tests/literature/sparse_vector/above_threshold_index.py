"""AboveThreshold, which returns the position of the first answer above the threshold."""

from alignkit import Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

NOBODY = Tag("NOBODY")


@mechanism
def above_threshold(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    for i, q_i in enumerate(q):
        nu_i = noise.laplace(4 / eps)
        if q_i + nu_i >= T + rho:
            return i
    return NOBODY


@alignment(above_threshold, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(rho=1, nu_i=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
