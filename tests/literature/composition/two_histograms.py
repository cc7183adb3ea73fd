"""Two histograms of the same people, each with half of the budget; a person changes one count of each by 1."""

from typing import Annotated

from alignkit import Epsilon, Noise, Queries, Sensitivity, alignment, mechanism

Shared = Annotated[Queries, Sensitivity(2)]


@mechanism
def two_histograms(q: Shared, s: Shared, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for q_i in q]
    f = [noise.laplace(2 / eps) for s_i in s]
    return [q_i + e_i for q_i, e_i in zip(q, e)], [s_i + f_i for s_i, f_i in zip(s, f)]


@alignment(two_histograms, epsilon="eps", adjacency="l1")
def phi(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[s[i] - s_[i] for i in range(len(s))])
