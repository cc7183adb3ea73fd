"""The ACCEPT test of Sage (Lécuyer et al., SOSP 2019) with noise on the losses, and none on the private count."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Query, Real, Sensitivity, Tag, alignment, mechanism

ACCEPT = Tag("ACCEPT")
RETRY = Tag("RETRY")

Loss = Annotated[Query, Sensitivity("B")]


@mechanism
def acceptance_by_an_exact_count(loss: Loss, n: Query, tau: Real, B: Positive, eps: Epsilon, noise: Noise):
    """Accept the model if the noisy total of the losses is at most tau for each of exactly n examples."""
    e = noise.laplace(B / eps)
    if loss + e <= tau * n:
        return ACCEPT
    return RETRY


@alignment(acceptance_by_an_exact_count, epsilon="eps", expect="refuted")
def phi(loss, loss_, H):
    return H.shift(e=loss - loss_)
