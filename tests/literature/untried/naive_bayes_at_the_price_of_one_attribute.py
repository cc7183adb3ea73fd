"""Naive Bayes (Vaidya et al., WI 2013) with the budget counted once, though a record is counted for d attributes."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def naive_bayes_at_the_price_of_one_attribute(q: Queries, d: Count, eps: Epsilon, noise: Noise):
    """Put out all noisy counts; a record is in d of them."""
    e = [noise.laplace(1 / eps) for q_i in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@alignment(naive_bayes_at_the_price_of_one_attribute, epsilon="eps", adjacency="few(d)", expect="refuted")
def phi(q, q_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])
