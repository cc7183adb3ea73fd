"""The degrees of a graph in rising order, with noise; what is told rises too.

Hay, Li, Miklau and Jensen, Accurate Estimation of the Degree Distribution of Private Networks, ICDM 2009, with the
largest noisy degree so far in place of least squares. An edge changes the sorted degrees by 2 in all.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Sensitivity, alignment, mechanism


@mechanism
def degree_sequence(degrees: Annotated[Queries, Sensitivity(2)], eps: Epsilon, noise: Noise):
    highest = 0
    for d in degrees:
        e_i = noise.laplace(2 / eps)
        highest = max(highest, d + e_i)
        yield highest


@alignment(degree_sequence, epsilon="eps", adjacency="l1")
def phi(degrees, degrees_, H):
    return H.shift(e_i=[degrees[i] - degrees_[i] for i in range(len(degrees))])
