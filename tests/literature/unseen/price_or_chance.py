"""The exponential mechanism mixed with a choice by chance: Nissim, Smorodinsky and Tennenholtz, ITCS 2012.

With probability p an alternative is chosen by chance, so that people have a reason to tell the truth.
"""

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, largest, mechanism


@mechanism
def price_or_chance(u: Queries, p: Proportion, eps: Epsilon, noise: Noise):
    coin = noise.choice([1 - p, p])
    g = [noise.gumbel(2 / eps) for u_i in u]
    (best,) = largest([u_i + g_i if coin == 0 else g_i for u_i, g_i in zip(u, g)], 1)
    return best


@alignment(price_or_chance, epsilon="eps")
def phi(u, u_, omega, H):
    """By chance, nothing needs to move."""
    return H.shift(g=[1 + u[i] - u_[i] if i == omega and H.coin == 0 else 0 for i in range(len(u))])
