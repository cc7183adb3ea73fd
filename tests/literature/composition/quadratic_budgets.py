"""Answer i gets the budget eps / (i + 1)^2."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def quadratic(q: Queries, eps: Epsilon, noise: Noise):
    for i, q_i in enumerate(q):
        eta_i = noise.laplace((i + 1) * (i + 1) / eps)
        yield q_i + eta_i


@alignment(quadratic, epsilon="2 * eps", invariant="privacy_cost * (2 * rounds + 1) <= 4 * rounds * eps")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
