"""Answer i gets the budget eps / 2^(i + 1)."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def halving(q: Queries, eps: Epsilon, noise: Noise):
    share = eps / 2
    for q_i in q:
        eta_i = noise.laplace(1 / share)
        yield q_i + eta_i
        share = share / 2


@alignment(halving, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
