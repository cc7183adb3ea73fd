"""A histogram whose noise was drawn once, outside of the list, and is added to every cell."""

from alignkit import Epsilon, Noise, Queries, mechanism


@mechanism
def histogram_with_shared_noise(q: Queries, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return [q_i + e for q_i in q]
