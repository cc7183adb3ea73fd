"""The number of 2-stars at a node of degree up to m, with noise for the degree: after Imola and others, 2021."""

from typing import Annotated

from alignkit import Count, Epsilon, Lattice, Noise, Query, Sensitivity, alignment, clamp, mechanism

Degree = Annotated[Query, Sensitivity(1), Lattice(1)]


@mechanism
def report(d: Degree, m: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    kept = clamp(d, 0, m)
    return kept * (kept - 1) / 2 + e


@alignment(report, epsilon="eps", expect="refuted")
def phi(d, d_, m, H):
    """An edge more at a node of degree 3 makes three more 2-stars."""
    kept = clamp(d, 0, m)
    kept_ = clamp(d_, 0, m)
    return H.shift(e=(kept * (kept - 1) - kept_ * (kept_ - 1)) / 2)
