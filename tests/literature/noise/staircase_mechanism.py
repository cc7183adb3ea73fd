"""An answer with staircase noise of middle width gamma."""

from alignkit import Epsilon, Noise, Proportion, Query, alignment, mechanism


@mechanism
def staircase(q: Query, gamma: Proportion, eps: Epsilon, noise: Noise):
    eta = noise.staircase(1 / eps, gamma)
    return q + eta


@alignment(staircase, epsilon="eps")
def phi(q, q_, H):
    return H.shift(eta=q - q_)
