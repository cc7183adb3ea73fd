"""Two histograms of the same people, each with half of the budget."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def two_histograms(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    e = [noise.laplace(2 / eps) for q_i in q]
    f = [noise.laplace(2 / eps) for s_i in s]
    return [q_i + e_i for q_i, e_i in zip(q, e)], [s_i + f_i for s_i, f_i in zip(s, f)]


@alignment(two_histograms, epsilon="eps", adjacency="one")
def phi(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[s[i] - s_[i] for i in range(len(s))])
