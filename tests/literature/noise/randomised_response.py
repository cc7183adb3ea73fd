"""Each bit is told rightly with probability 3/4."""

from typing import Annotated

from alignkit import Lattice, Noise, Query, alignment, mechanism


@mechanism
def randomised_response(q: Annotated[Query, Lattice(1)], noise: Noise):
    flip = noise.choice([3, 1])
    if flip == 1:
        return 1 - q
    else:
        return q


@alignment(randomised_response, epsilon="log(3)")
def phi(q, q_, H):
    return H.shift(flip=H.flip if q == q_ else 1 - 2 * H.flip)
