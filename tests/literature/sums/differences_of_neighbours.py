"""The difference of each answer from the one before it."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def differences(q: Queries, eps: Epsilon, noise: Noise):
    for i in range(1, len(q)):
        eta_i = noise.laplace(2 / eps)
        yield q[i] - q[i - 1] + eta_i


@alignment(differences, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[q[i + 1] - q_[i + 1] - (q[i] - q_[i]) for i in range(len(omega))])
