"""One answer with Laplace noise."""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def laplace_answer(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@alignment(laplace_answer, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
