"""Each of the n answers gets the budget eps / n."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def equal_shares(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(len(q) / eps) for q_i in q]
    return [q_i + eta_i for q_i, eta_i in zip(q, eta)]


@alignment(equal_shares, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=[q[i] - q_[i] for i in range(len(q))])
