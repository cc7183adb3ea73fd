"""The three quartiles on a public grid: the median first, then the medians of what lies on either side of it.

Kaplan, Schnapp and Stemmer, Differentially Private Approximate Quantiles, ICML 2022, Algorithm 1, with three quantiles
and a third of the budget for each.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, largest, mechanism


def middle(q, t):
    return -abs(sum(1 for x in q if x <= t) - len(q) / 2)


def middle_below(q, t, m):
    return -abs(sum(1 for x in q if x <= min(t, m)) - sum(1 for x in q if x <= m) / 2)


def middle_above(q, t, m):
    return -abs(sum(1 for x in q if m < x <= t) - sum(1 for x in q if x > m) / 2)


@mechanism
def quartiles(
    q: Annotated[Queries, Sensitivity("delta")], grid: Reals, delta: Positive, eps: Epsilon, noise: Noise
):
    g = [noise.gumbel(6 / eps) for t in grid]
    (median,) = largest([middle(q, t) + g_t for t, g_t in zip(grid, g)], 1)
    m = grid[median]
    h = [noise.gumbel(6 / eps) for t in grid]
    (lower,) = largest([middle_below(q, t, m) + h_t for t, h_t in zip(grid, h)], 1)
    k = [noise.gumbel(6 / eps) for t in grid]
    (upper,) = largest([middle_above(q, t, m) + k_t for t, k_t in zip(grid, k)], 1)
    return lower, median, upper


@alignment(quartiles, epsilon="eps", adjacency="one")
def phi(q, q_, grid, omega, H):
    lower, median, upper = omega
    m = grid[median]
    return H.shift(
        g=[1 + middle(q, t) - middle(q_, t) if i == median else 0 for i, t in enumerate(grid)],
        h=[1 + middle_below(q, t, m) - middle_below(q_, t, m) if i == lower else 0 for i, t in enumerate(grid)],
        k=[1 + middle_above(q, t, m) - middle_above(q_, t, m) if i == upper else 0 for i, t in enumerate(grid)],
    )
