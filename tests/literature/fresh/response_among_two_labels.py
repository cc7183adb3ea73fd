"""Randomised response among the two labels that a public prior takes for the likeliest.

Ghazi, Golowich, Kumar, Manurangsi and Zhang, Deep Learning with Label Differential Privacy, NeurIPS 2021, RRTop-k with
k = 2. If the true label is neither of the two, each of them is told with probability 1/2.
"""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Positive, Query, Real, Sensitivity, alignment, exp, mechanism


@mechanism
def response_among_two(
    y: Annotated[Query, Sensitivity("labels"), Lattice(1)],
    first: Real,
    second: Real,
    labels: Annotated[Positive, Lattice(1)],
    eps: Epsilon,
    noise: Noise,
):
    told = noise.choice([exp(eps) if y == first else 1, exp(eps) if y == second else 1])
    return told


@alignment(response_among_two, epsilon="eps")
def phi(H):
    return H.shift()
