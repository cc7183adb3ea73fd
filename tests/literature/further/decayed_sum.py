"""A sum in which older answers count less and less, told at each step."""

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, mechanism


@mechanism
def decayed_sum(q: Queries, r: Proportion, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total = r * total + q_i
        eta_i = noise.laplace(1 / ((1 - r) * eps))
        yield total + eta_i


@alignment(decayed_sum, epsilon="eps", adjacency="one")
def phi(q, q_, r, omega, H):
    lost = 0
    shifts = []
    for i in range(len(omega)):
        lost = r * lost + q[i] - q_[i]
        shifts = [*shifts, lost]
    return H.shift(eta_i=shifts)
