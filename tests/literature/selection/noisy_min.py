"""Which query has the smallest noisy answer."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def noisy_min(q: Queries, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    (best,) = largest([-(q_i + eta_i) for q_i, eta_i in zip(q, eta)], 1)
    return best


@alignment(noisy_min, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[q[i] - q_[i] - 1 if i == omega else 0 for i in range(len(q))])
