"""DPTheilSenMatch: Alabi, McMillan, Sarathy, Smith and Vadhan, Differentially Private Simple Linear Regression, 2022.

The points are matched in public, each pair has a slope, and a median of the slopes is chosen from a grid.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, largest, mechanism

Slopes = Annotated[Queries, Sensitivity("delta")]


@mechanism
def theil_sen(slope: Slopes, grid: Reals, delta: Positive, eps: Epsilon, noise: Noise):
    score = [-abs(sum(1 for z in slope if z <= t) - len(slope) / 2) for t in grid]
    g = [noise.gumbel(2 / eps) for t in grid]
    (best,) = largest([s + g_i for s, g_i in zip(score, g)], 1)
    return best


@alignment(theil_sen, epsilon="eps", adjacency="one")
def phi(slope, slope_, grid, omega, H):
    """One slope changes, and so the rank of each point of the grid by at most 1."""
    half = len(slope) / 2
    return H.shift(
        g=[
            1 - abs(sum(1 for z in slope if z <= t) - half) + abs(sum(1 for z in slope_ if z <= t) - half)
            if i == omega
            else 0
            for i, t in enumerate(grid)
        ]
    )
