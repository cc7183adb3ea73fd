"""Each bit is flipped with probability 1/4, but the first is told as it is."""

from alignkit import Noise, Queries, mechanism


@mechanism
def bits(q: Queries, noise: Noise):
    for i, q_i in enumerate(q):
        bit = 1 if q_i > 0 else 0
        flip_i = noise.choice([3, 1])
        if i > 0 and flip_i == 1:
            yield 1 - bit
        else:
            yield bit
