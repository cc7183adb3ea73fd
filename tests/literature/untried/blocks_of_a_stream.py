"""Block composition in Sage (Lécuyer, Spahn, Vodrahalli, Geambasu and Hsu, SOSP 2019).

Each of three models is trained on two blocks of a stream, and each block pays only for the models that read it.
"""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def blocks_of_a_stream(a: Query, b: Query, c: Query, eps: Epsilon, noise: Noise):
    """Put out three statistics with half of the budget each; each block is read by two of them."""
    early = noise.laplace(2 / eps)
    late = noise.laplace(2 / eps)
    outer = noise.laplace(2 / eps)
    return a + b + early, b + c + late, a + c + outer


@alignment(blocks_of_a_stream, epsilon="eps", adjacency="one")
def phi(a, a_, b, b_, c, c_, H):
    return H.shift(early=(a - a_) + (b - b_), late=(b - b_) + (c - c_), outer=(a - a_) + (c - c_))
