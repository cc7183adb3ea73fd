"""The functional mechanism: Zhang, Zhang, Xiao, Yang and Winslett, PVLDB 2012, Algorithm 1, for y = w x.

The sum of (y - w x)^2 over points in [-1, 1]^2 has the coefficients c0, c1 and c2. If a person is replaced, their
changes add up to at most 2 (d + 1)^2 = 8.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Query, Sensitivity, alignment, clamp, mechanism

Coefficient = Annotated[Query, Sensitivity(8)]


@mechanism
def functional_mechanism(c0: Coefficient, c1: Coefficient, c2: Coefficient, eps: Epsilon, noise: Noise):
    e0 = noise.laplace(8 / eps)
    e1 = noise.laplace(8 / eps)
    e2 = noise.laplace(8 / eps)
    a0 = c0 + e0
    a1 = c1 + e1
    a2 = c2 + e2
    if a2 > 0:
        w = clamp(-a1 / (2 * a2), -1, 1)
    elif a1 < 0:
        w = 1
    else:
        w = -1
    return w, a0 + a1 * w + a2 * w * w


@alignment(functional_mechanism, epsilon="eps", adjacency="l1")
def phi(c0, c0_, c1, c1_, c2, c2_, H):
    return H.shift(e0=c0 - c0_, e1=c1 - c1_, e2=c2 - c2_)
