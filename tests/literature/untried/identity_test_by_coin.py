"""A private identity test by one coin (Acharya, Sun and Zhang, NeurIPS 2018), the sigmoid of its statistic.

The coin shows 1 with the probability 1 / (1 + exp(-eps z)), where z is a statistic of sensitivity 1.
"""

from alignkit import Epsilon, Noise, Query, Tag, alignment, exp, mechanism

FAR = Tag("FAR")
SAME = Tag("SAME")


@mechanism
def identity_test_by_coin(z: Query, eps: Epsilon, noise: Noise):
    """Toss the coin."""
    c = noise.choice([exp(eps * z), 1])
    if c == 0:
        return FAR
    return SAME


@alignment(identity_test_by_coin, epsilon="eps")
def phi(H):
    return H.shift()
