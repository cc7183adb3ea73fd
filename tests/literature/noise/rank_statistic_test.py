"""A rank statistic of public sensitivity with Laplace noise, compared with a critical value."""

from typing import Annotated

from alignkit import ABOVE, BELOW, Epsilon, Noise, Positive, Query, Real, Sensitivity, alignment, mechanism


@mechanism
def rank_test(
    statistic: Annotated[Query, Sensitivity("delta")], critical: Real, delta: Positive, eps: Epsilon, noise: Noise
):
    eta = noise.laplace(delta / eps)
    if statistic + eta >= critical:
        return ABOVE
    else:
        return BELOW


@alignment(rank_test, epsilon="eps")
def phi(statistic, statistic_, H):
    return H.shift(eta=statistic - statistic_)
