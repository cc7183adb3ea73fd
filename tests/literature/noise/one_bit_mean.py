"""A value in [0, 1] is told as one bit, 1 with a probability that grows with the value."""

from alignkit import Epsilon, Noise, Query, alignment, clamp, exp, mechanism


@mechanism
def one_bit(q: Query, eps: Epsilon, noise: Noise):
    x = clamp(q, 0, 1)
    bit = noise.choice([exp(eps) - x * (exp(eps) - 1), 1 + x * (exp(eps) - 1)])
    return bit


@alignment(one_bit, epsilon="eps")
def phi(H):
    return H.shift()
