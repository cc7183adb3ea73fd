"""Each cell of a coarse grid is counted; where the noisy count is large, so is each of its quarters.

Qardaji, Yang and Li, Differentially Private Grids for Geospatial Data, ICDE 2013, Adaptive Grids, with two sizes of the
second grid: one cell or four. The counts of the quarters are given, those of one cell side by side.
"""

from alignkit import Epsilon, Noise, Proportion, Queries, Real, alignment, mechanism


@mechanism
def adaptive_grid(q: Queries, T: Real, alpha: Proportion, eps: Epsilon, noise: Noise):
    for i in range(len(q) // 4):
        e_i = noise.laplace(1 / (alpha * eps))
        count = q[4 * i] + q[4 * i + 1] + q[4 * i + 2] + q[4 * i + 3] + e_i
        yield count
        if count >= T:
            for j in range(4):
                f_ij = noise.laplace(1 / ((1 - alpha) * eps))
                yield q[4 * i + j] + f_ij


@alignment(adaptive_grid, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    cells = len(q) // 4
    return H.shift(
        e_i=[sum(q[4 * i + j] - q_[4 * i + j] for j in range(4)) for i in range(cells)],
        f_ij=[[q[4 * i + j] - q_[4 * i + j] for j in range(4)] for i in range(cells)],
    )
