"""Privelet: four cells from noisy Haar coefficients, with noise by the weight of each."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def privelet(q: Queries, eps: Epsilon, noise: Noise):
    scale = 3 / eps
    e = noise.laplace(scale / 4)
    f = noise.laplace(scale / 4)
    g = noise.laplace(scale / 2)
    h = noise.laplace(scale / 2)
    base = (q[0] + q[1] + q[2] + q[3]) / 4 + e
    top = (q[0] + q[1] - q[2] - q[3]) / 4 + f
    left = (q[0] - q[1]) / 2 + g
    right = (q[2] - q[3]) / 2 + h
    return base + top + left, base + top - left, base - top + right, base - top - right


@alignment(privelet, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    x = [q[i] - q_[i] for i in range(4)]
    return H.shift(
        e=(x[0] + x[1] + x[2] + x[3]) / 4,
        f=(x[0] + x[1] - x[2] - x[3]) / 4,
        g=(x[0] - x[1]) / 2,
        h=(x[2] - x[3]) / 2,
    )
