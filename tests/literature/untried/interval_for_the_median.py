"""An interval for the median by two selections (Drechsler, Globus-Harris, McMillan, Sarathy and Smith, 2022).

ExpMech of the paper, with exponential noise for the exponential mechanism (McKenna and Sheldon, NeurIPS 2020).
"""

from alignkit import Epsilon, Noise, Queries, Real, alignment, largest, mechanism


@mechanism
def grid_point(c: Queries, rank: Real, eps: Epsilon, noise: Noise):
    """Choose the point of a grid for which the number of records below it is closest to a rank."""
    e = [noise.exponential(2 / eps) for c_i in c]
    (best,) = largest([e_i - abs(c_i - rank) for c_i, e_i in zip(c, e)], 1)
    return best


@alignment(grid_point, epsilon="eps")
def grid_point_phi(c, c_, rank, omega, H):
    return H.shift(
        e=[1 - abs(c[i] - rank) + abs(c_[i] - rank) if i == omega else 0 for i in range(len(c))]
    )


@mechanism
def interval_for_the_median(c: Queries, low: Real, high: Real, eps: Epsilon, noise: Noise):
    """Choose both ends of the interval, each with half of the budget."""
    left = grid_point(c, low, eps / 2, noise)
    right = grid_point(c, high, eps / 2, noise)
    return left, right


@alignment(interval_for_the_median, epsilon="eps", lemmas=[grid_point_phi])
def phi(H):
    return H.shift()
