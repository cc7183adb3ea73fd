"""Noisy maxima that are not as private as claimed."""

from alignkit import Epsilon, Noise, Queries, largest, mechanism


@mechanism
def noisy_max_with_maximum(q: Queries, eps: Epsilon, noise: Noise):
    """Releases the noisy maximum too, not only its index."""
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best, noisy[best]


@mechanism
def noisy_max_with_half_the_noise(q: Queries, eps: Epsilon, noise: Noise):
    """Has the noise for counting queries, but claims eps for queries that may change in either direction."""
    eta = [noise.laplace(1 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best
