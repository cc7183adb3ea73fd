"""A private split of a decision tree, and the exact label of its leaf: after Friedman and Schuster, KDD 2010."""

from alignkit import Epsilon, Noise, Queries, Tag, alignment, largest, mechanism

YES = Tag("YES")
NO = Tag("NO")


@mechanism
def split(gain: Queries, yes: Queries, no: Queries, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for x in gain]
    (best,) = largest([x + g_i for x, g_i, y, n in zip(gain, g, yes, no)], 1)
    label = YES if yes[best] >= no[best] else NO
    return best, label


@alignment(split, epsilon="eps", expect="refuted")
def phi(gain, gain_, omega, H):
    """The label depends on counts without noise."""
    best, label = omega
    return H.shift(g=[1 + gain[i] - gain_[i] if i == best else 0 for i in range(len(gain))])
