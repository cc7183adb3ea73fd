"""The counts of a naive Bayes classifier (Vaidya, Shafiq, Basu and Hong, WI 2013, categorical attributes).

A record is counted in one cell for the class and in one cell for each attribute: d cells in all.
"""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def naive_bayes_counts(q: Queries, d: Count, eps: Epsilon, noise: Noise):
    """Smooth the noisy counts and put out their shares."""
    e = [noise.laplace(d / eps) for q_i in q]
    kept = [max(q_i + e_i, 0) + 1 for q_i, e_i in zip(q, e)]
    total = sum(kept)
    return [y / total if total > 0 else 0 for y in kept]


@alignment(naive_bayes_counts, epsilon="eps", adjacency="few(d)")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
