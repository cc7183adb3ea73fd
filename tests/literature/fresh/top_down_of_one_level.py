"""The total and the cells below it are measured in whole numbers, and no cell is told as less than 0.

Abowd, Ashmead, Garfinkel, Kifer, Leclerc, Machanavajjhala, Moran and Sexton, Census TopDown, 2019: geometric noise on
the counts of each level, here of two levels, and then a step that makes the counts plausible.
"""

from typing import Annotated

from alignkit import Epsilon, Lattice, Noise, Queries, alignment, mechanism


@mechanism
def top_down(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    t = noise.discrete_laplace(2 / eps, 1)
    e = [noise.discrete_laplace(2 / eps, 1) for q_i in q]
    cells = [max(0, q_i + e_i) for q_i, e_i in zip(q, e)]
    return max(0, sum(q) + t), cells


@alignment(top_down, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(t=sum(q) - sum(q_), e=[q[i] - q_[i] for i in range(len(q))])
