"""Noise is put on the cells that somebody is in; the others are told to be empty.

Wilson et al., Differentially Private SQL with Bounded User Contribution, PoPETs 2020, on queries with GROUP BY: what a
query returns when noise is added to its rows only, without a threshold.
"""

from typing import Annotated

from alignkit import BELOW, Epsilon, Lattice, Noise, Queries, mechanism


@mechanism
def noise_on_cells_in_use(q: Annotated[Queries, Lattice(1)], eps: Epsilon, noise: Noise):
    for q_i in q:
        if q_i == 0:
            yield BELOW
        else:
            e_i = noise.laplace(1 / eps)
            yield q_i + e_i
