"""Unary encoding in which each bit is kept with odds of exp(eps) to 1; two bits tell a category from another."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Positive, Query, Sensitivity, exp, mechanism

Category = Annotated[Query, Sensitivity("reach"), Lattice(1)]


@mechanism
def unary_encoding(v: Category, d: Count, reach: Positive, eps: Epsilon, noise: Noise):
    for j in range(d):
        flip = noise.choice([exp(eps), 1])
        bit = 1 if v == j else 0
        yield bit if flip == 0 else 1 - bit
