"""Basic RAPPOR for one bit: a permanent answer is drawn once, and each report flips it with probability 1/4.

Erlingsson, Pihur and Korolova, RAPPOR, CCS 2014, Section 2, Basic RAPPOR, for a single bit.
"""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Noise,
    Positive,
    Query,
    Real,
    Sensitivity,
    alignment,
    exp,
    mechanism,
)


@mechanism
def basic_rappor(
    x: Annotated[Query, Sensitivity("delta")], level: Real, delta: Positive, k: Count, eps: Epsilon, noise: Noise
):
    permanent = noise.choice([1 if x >= level else exp(eps), exp(eps) if x >= level else 1])
    for t in range(k):
        flip_t = noise.choice([3, 1])
        if permanent == flip_t:
            yield BELOW
        else:
            yield ABOVE


@alignment(basic_rappor, epsilon="eps")
def phi(H):
    return H.shift()
