"""All cells are noisy, and their total is told as it is.

Abowd et al., Census TopDown, 2019, with the total as an invariant, and the claim of the cells alone.
"""

from alignkit import Epsilon, Noise, Queries, mechanism


@mechanism
def cells_with_total(q: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps) for q_i in q]
    return sum(q), [q_i + e_i for q_i, e_i in zip(q, e)]
