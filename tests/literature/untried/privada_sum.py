"""A sum in PrivaDA (Eigner, Kate, Maffei, Pampaloni and Pryvalov, ACSAC 2014), sanitised by discrete Laplace noise."""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism

Values = Annotated[Queries, Sensitivity("delta"), Lattice(1)]
Whole = Annotated[Positive, Lattice(1)]


@mechanism
def privada_sum(x: Values, m: Whole, delta: Whole, eps: Epsilon, noise: Noise):
    """Clip whole numbers to [0, m], and put discrete Laplace noise on their sum."""
    e = noise.discrete_laplace(m / eps)
    return sum(clamp(v, 0, m) for v in x) + e


@alignment(privada_sum, epsilon="eps", adjacency="one")
def phi(x, x_, m, H):
    return H.shift(e=sum(clamp(v, 0, m) for v in x) - sum(clamp(v, 0, m) for v in x_))
