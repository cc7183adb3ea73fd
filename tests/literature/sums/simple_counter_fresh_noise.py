"""Each running total with noise of its own."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def simple_counter(q: Queries, eps: Epsilon, noise: Noise):
    total = 0
    for q_i in q:
        total += q_i
        eta_i = noise.laplace(1 / eps)
        yield total + eta_i


@alignment(simple_counter, epsilon="len(omega) * eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(eta_i=[sum(q[j] - q_[j] for j in range(i + 1)) for i in range(len(omega))])
