"""A histogram with the noise for one person more, claimed where a person is replaced: two cells change."""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Sensitivity, alignment, mechanism

Cells = Annotated[Queries, Sensitivity(2)]


@mechanism
def histogram(q: Cells, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@alignment(histogram, epsilon="eps", adjacency="l1", expect="refuted")
def phi(q, q_, H):
    """The cell that loses the person pays as much as the one that gains it."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
