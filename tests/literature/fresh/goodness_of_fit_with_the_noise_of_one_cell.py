"""A chi-squared test of fit whose counts get the noise for one cell, although a row that moves changes two.

Gaboardi, Lim, Rogers and Vadhan, Differentially Private Chi-Squared Hypothesis Testing, ICML 2016, with half the noise.
"""

from typing import Annotated

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, Reals, Sensitivity, alignment, mechanism


@mechanism
def goodness_of_fit(
    q: Annotated[Queries, Sensitivity(2)],
    expected: Reals,
    weight: Reals,
    critical: Real,
    eps: Epsilon,
    noise: Noise,
):
    e = [noise.laplace(1 / eps) for q_i in q]
    if sum(weight[i] * (q[i] + e[i] - expected[i]) ** 2 for i in range(len(q))) >= critical:
        return ABOVE
    else:
        return BELOW


@alignment(goodness_of_fit, epsilon="eps", adjacency="l1", expect="refuted")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
