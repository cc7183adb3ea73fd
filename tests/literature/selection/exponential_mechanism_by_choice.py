"""The exponential mechanism as a choice with weights."""

from alignkit import Epsilon, Noise, Queries, alignment, exp, mechanism


@mechanism
def exponential_mechanism(u: Queries, eps: Epsilon, noise: Noise):
    best = noise.choice([exp(eps * u_i / 2) for u_i in u])
    return best


@alignment(exponential_mechanism, epsilon="eps")
def phi(u, u_, H):
    return H.shift()
