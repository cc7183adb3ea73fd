"""All bits but the first get noise."""

from typing import Annotated

from alignkit import Lattice, Noise, Queries, mechanism


@mechanism
def bits(q: Annotated[Queries, Lattice(1)], noise: Noise):
    for i, q_i in enumerate(q):
        flip_i = noise.choice([3, 1])
        if i > 0 and flip_i == 1:
            yield 1 - q_i
        else:
            yield q_i
