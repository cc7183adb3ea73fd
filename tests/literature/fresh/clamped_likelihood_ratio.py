"""A test of two simple hypotheses by the noisy sum of clamped log-likelihood ratios.

Canonne, Kamath, McMillan, Smith and Ullman, The Structure of Optimal Private Tests for Simple Hypotheses, STOC 2019,
the noisy clamped log-likelihood ratio test. An answer is the ratio of one row, which may change by anything.
"""

from typing import Annotated

from alignkit import ABOVE, BELOW, Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def clamped_likelihood_ratio(
    q: Annotated[Queries, Sensitivity("delta")], c: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    e = noise.laplace(2 * c / eps)
    if sum(clamp(x, -c, c) for x in q) + e >= 0:
        return ABOVE
    else:
        return BELOW


@alignment(clamped_likelihood_ratio, epsilon="eps", adjacency="one")
def phi(q, q_, c, H):
    return H.shift(e=sum(clamp(x, -c, c) for x in q) - sum(clamp(x, -c, c) for x in q_))
