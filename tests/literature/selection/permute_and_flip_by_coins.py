"""Permute and flip in a public order: a coin for each candidate, heads with probability exp(eps (u - max) / 2)."""

from alignkit import Epsilon, Noise, Queries, exp, mechanism


@mechanism
def permute_and_flip(u: Queries, eps: Epsilon, noise: Noise):
    top = max(u)
    for i, u_i in enumerate(u):
        p = exp(eps * (u_i - top) / 2)
        coin = noise.choice([1 - p, p])
        if coin == 1:
            return i
