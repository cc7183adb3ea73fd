"""Noisy max that keeps the best answer so far in a loop."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def noisy_max(q: Queries, eps: Epsilon, noise: Noise):
    best = 0
    top = 0
    for i, q_i in enumerate(q):
        eta_i = noise.laplace(2 / eps)
        if i == 0 or q_i + eta_i > top:
            top = q_i + eta_i
            best = i
    return best


@alignment(noisy_max, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[1 + q[i] - q_[i] if i == omega else 0 for i in range(len(q))])
