"""Local reports of 2-stars: Imola, Murakami and Chaudhuri, Locally Private Graph Statistics, USENIX Security 2021.

Each user clips the own degree to m and reports its number of 2-stars (LocalLap of k-stars, for k = 2).
"""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Queries, Sensitivity, alignment, clamp, mechanism

Degrees = Annotated[Queries, Sensitivity(1), Lattice(1)]


def two_stars(degree, m):
    kept = clamp(degree, 0, m)
    return kept * (kept - 1) / 2


@mechanism
def reports(d: Degrees, m: Count, eps: Epsilon, noise: Noise):
    for d_i in d:
        e_i = noise.laplace(m / eps)
        yield two_stars(d_i, m) + e_i


@alignment(reports, epsilon="eps", adjacency="one")
def phi(d, d_, m, H):
    return H.shift(e_i=[two_stars(d[i], m) - two_stars(d_[i], m) for i in range(len(d))])
