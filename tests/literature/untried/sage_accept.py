"""The ACCEPT test of a loss in Sage (Lécuyer, Spahn, Vodrahalli, Geambasu and Hsu, SOSP 2019)."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Query, Real, Sensitivity, Tag, alignment, mechanism

ACCEPT = Tag("ACCEPT")
RETRY = Tag("RETRY")

Loss = Annotated[Query, Sensitivity("B")]


@mechanism
def sage_accept(loss: Loss, n: Query, tau: Real, margin: Real, B: Positive, eps: Epsilon, noise: Noise):
    """Accept the model if the noisy total of losses, each clipped to [0, B], is at most tau for each of n examples."""
    e = noise.laplace(2 * B / eps)
    f = noise.laplace(2 / eps)
    if loss + e + margin <= tau * (n + f):
        return ACCEPT
    return RETRY


@alignment(sage_accept, epsilon="eps")
def phi(loss, loss_, n, n_, H):
    return H.shift(e=loss - loss_, f=n - n_)
