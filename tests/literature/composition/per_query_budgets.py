"""Each answer has a budget of its own, from a public list, until a budget is not above 0."""

from alignkit import Noise, Queries, Reals, alignment, mechanism


@mechanism
def with_shares(q: Queries, share: Reals, noise: Noise):
    for q_i, s in zip(q, share):
        if s <= 0:
            break
        eta_i = noise.laplace(1 / s)
        yield q_i + eta_i


@alignment(with_shares, epsilon="sum(max(s, 0) for s in share)")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i] - q_[i] for i in range(len(omega))])
