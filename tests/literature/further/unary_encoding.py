"""Symmetric unary encoding: one bit a category, each flipped with odds of 1 to exp(eps / 2)."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Positive, Query, Sensitivity, alignment, exp, mechanism

Category = Annotated[Query, Sensitivity("reach"), Lattice(1)]


@mechanism
def unary_encoding(v: Category, d: Count, reach: Positive, eps: Epsilon, noise: Noise):
    for j in range(d):
        flip = noise.choice([exp(eps / 2), 1])
        bit = 1 if v == j else 0
        yield bit if flip == 0 else 1 - bit


@alignment(unary_encoding, epsilon="eps")
def phi(v, v_, omega, H):
    before = [1 if v == j else 0 for j in range(len(omega))]
    after = [1 if v_ == j else 0 for j in range(len(omega))]
    return H.shift(
        flip=[0 if b == a else (1 if w == b else -1) for w, b, a in zip(omega, before, after)]
    )
