"""DP-Borda: Hay, Elagina and Miklau, Differentially Private Rank Aggregation, SDM 2017."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, largest, mechanism

Scores = Annotated[Queries, Sensitivity("delta")]


@mechanism
def borda_ranking(s: Scores, delta: Positive, eps: Epsilon, noise: Noise):
    e = [noise.laplace(delta / eps) for s_i in s]
    return largest([s_i + e_i for s_i, e_i in zip(s, e)], len(s))


@alignment(borda_ranking, epsilon="eps", adjacency="l1")
def phi(s, s_, H):
    """All scores stay the same, and so does their order."""
    return H.shift(e=[s[i] - s_[i] for i in range(len(s))])
