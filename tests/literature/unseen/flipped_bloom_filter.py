"""BLIP, a Bloom filter with flipped bits: Alaggan, Gambs and Kermarrec, SSS 2012.

An item of a profile is hashed to k positions; c says how many items of the profile are hashed to each position.
"""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Positive, Queries, Sensitivity, alignment, exp, mechanism

Positions = Annotated[Queries, Sensitivity("k"), Lattice(1)]
Hashes = Annotated[Positive, Lattice(1)]


@mechanism
def blip(c: Positions, k: Hashes, eps: Epsilon, noise: Noise):
    bits = [1 if c_i > 0 else 0 for c_i in c]
    flip = [noise.choice([exp(eps / k), 1]) for c_i in c]
    return [bit if f == 0 else 1 - bit for bit, f in zip(bits, flip)]


@alignment(blip, epsilon="eps", adjacency="l1")
def phi(c, c_, H):
    """At most k bits differ, and at each of them a flip becomes none, or none a flip."""
    bits = [1 if x > 0 else 0 for x in c]
    bits_ = [1 if x > 0 else 0 for x in c_]
    return H.shift(flip=[1 - 2 * H.flip[i] if bits[i] != bits_[i] else 0 for i in range(len(c))])
