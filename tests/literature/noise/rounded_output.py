"""A noisy answer, rounded to a whole number."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def rounded_output(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return round(q + eta)


@alignment(rounded_output, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
