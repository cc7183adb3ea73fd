"""The noisy sum of each answer and the one before it."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def sliding_window(q: Queries, eps: Epsilon, noise: Noise):
    before = 0
    for q_i in q:
        eta_i = noise.laplace(2 / eps)
        yield before + q_i + eta_i
        before = q_i


@alignment(sliding_window, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[sum(q[j] - q_[j] for j in range(max(0, i - 1), i + 1)) for i in range(len(omega))])
