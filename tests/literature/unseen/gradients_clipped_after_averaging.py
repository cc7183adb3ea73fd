"""The mean of a batch is clipped, and not each gradient: an error that Tramèr and others found, 2022."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism

Gradients = Annotated[Queries, Sensitivity("delta")]


@mechanism
def batch(g: Gradients, C: Positive, delta: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 * C / (len(g) * eps))
    return clamp(sum(g) / len(g), -C, C) + e


@alignment(batch, epsilon="eps", adjacency="one", expect="refuted")
def phi(g, g_, C, H):
    """One gradient may move the mean by delta / n, which may be as much as 2 C."""
    return H.shift(e=clamp(sum(g) / len(g), -C, C) - clamp(sum(g_) / len(g_), -C, C))
