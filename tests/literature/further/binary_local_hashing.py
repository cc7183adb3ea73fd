"""Binary local hashing: randomised response to whether a public hash sends one's category to 1."""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Positive, Query, Reals, Sensitivity, alignment, exp, mechanism

Category = Annotated[Query, Sensitivity("reach"), Lattice(1)]


def hashed(v, ones):
    return any(v == s for s in ones)


@mechanism
def binary_local_hashing(v: Category, ones: Reals, reach: Positive, eps: Epsilon, noise: Noise):
    coin = noise.choice([exp(eps), 1])
    bit = hashed(v, ones)
    return bit if coin == 0 else not bit


@alignment(binary_local_hashing, epsilon="eps")
def phi(v, v_, ones, omega, H):
    before = hashed(v, ones)
    after = hashed(v_, ones)
    return H.shift(coin=0 if before == after else (1 if omega == before else -1))
