"""Two disjoint groups of people, each with a budget; one person is in one of them."""

from alignkit import Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def two_groups(q: Queries, s: Queries, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    e = [noise.laplace(1 / eps1) for q_i in q]
    f = [noise.laplace(1 / eps2) for s_i in s]
    return [q_i + e_i for q_i, e_i in zip(q, e)], [s_i + f_i for s_i, f_i in zip(s, f)]


@alignment(two_groups, epsilon="max(eps1, eps2)", adjacency="one")
def phi(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[s[i] - s_[i] for i in range(len(s))])
