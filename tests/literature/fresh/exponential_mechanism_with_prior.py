"""The exponential mechanism with a public measure of the outcomes, by Gumbel noise.

McSherry and Talwar, Mechanism Design via Differential Privacy, FOCS 2007, Definition 2: an outcome has a weight
proportional to its prior times exp(eps u / (2 delta)). The logarithms of the prior are given.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Reals, Sensitivity, alignment, largest, mechanism


@mechanism
def exponential_mechanism_with_prior(
    u: Annotated[Queries, Sensitivity("delta")], log_prior: Reals, delta: Positive, eps: Epsilon, noise: Noise
):
    g = [noise.gumbel(1) for u_i in u]
    (chosen,) = largest([log_prior[i] + eps * u[i] / (2 * delta) + g[i] for i in range(len(u))], 1)
    return chosen


@alignment(exponential_mechanism_with_prior, epsilon="eps")
def phi(u, u_, omega, delta, eps, H):
    return H.shift(g=[eps * (delta + u[i] - u_[i]) / (2 * delta) if i == omega else 0 for i in range(len(u))])
