"""Private hypothesis selection (Bun, Kamath, Steinke and Wu, NeurIPS 2019), with three rivals."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def hypothesis_by_worst_comparison(a: Queries, b: Queries, c: Queries, eps: Epsilon, noise: Noise):
    """Choose a hypothesis by the exponential mechanism; its score is the worst of its comparisons with the rivals."""
    score = [min(x, y, z) for x, y, z in zip(a, b, c)]
    g = [noise.gumbel(2 / eps) for s in score]
    (best,) = largest([s + g_i for s, g_i in zip(score, g)], 1)
    return best


@alignment(hypothesis_by_worst_comparison, epsilon="eps")
def phi(a, a_, b, b_, c, c_, omega, H):
    score = [min(x, y, z) for x, y, z in zip(a, b, c)]
    score_ = [min(x, y, z) for x, y, z in zip(a_, b_, c_)]
    return H.shift(g=[1 + score[i] - score_[i] if i == omega else 0 for i in range(len(score))])
