"""A noisy histogram without its small counts."""

from alignkit import Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

SUPPRESSED = Tag("SUPPRESSED")


@mechanism
def suppressed_histogram(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e_i = noise.laplace(1 / eps)
        if q_i + e_i >= T:
            yield q_i + e_i
        else:
            yield SUPPRESSED


@alignment(suppressed_histogram, epsilon="eps", adjacency="one")
def phi(q, q_, omega, H):
    return H.shift(e_i=[q[i] - q_[i] for i in range(len(omega))])
