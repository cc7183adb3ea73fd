"""Where a stream changed: the start with the largest noisy sum of log-likelihood ratios from there on."""

from alignkit import Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def change_point(ratio: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for x in ratio]
    since = [sum(ratio[j] for j in range(k, len(ratio))) for k in range(len(ratio))]
    (start,) = largest([s + e_k for s, e_k in zip(since, e)], 1)
    return start


@alignment(change_point, epsilon="eps", adjacency="one")
def phi(ratio, ratio_, omega, H):
    n = len(ratio)
    return H.shift(
        e=[1 + sum(ratio[j] - ratio_[j] for j in range(k, n)) if k == omega else 0 for k in range(n)]
    )
