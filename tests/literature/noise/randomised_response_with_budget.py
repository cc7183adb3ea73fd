"""A bit is told rightly with odds of exp(eps) to 1."""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Query, alignment, exp, mechanism


@mechanism
def randomised_response(q: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    flip = noise.choice([exp(eps), 1])
    if flip == 1:
        return 1 - q
    else:
        return q


@alignment(randomised_response, epsilon="eps")
def phi(q, q_, H):
    return H.shift(flip=0 if q == q_ else 1 - 2 * H.flip)
