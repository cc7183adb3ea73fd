"""Each answer has a budget of its own, from a public list."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def with_shares(q: Queries, share: Reals, eps: Epsilon, noise: Noise):
    for q_i, s in zip(q, share):
        eta_i = noise.laplace(1 / s)
        yield q_i + eta_i


@alignment(with_shares, epsilon="sum(share)")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
