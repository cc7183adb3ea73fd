"""The k largest by Gumbel noise: the exponential mechanism peeled k times."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def gumbel_top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for q_i in q]
    return largest([q_i + g_i for q_i, g_i in zip(q, g)], k)


@alignment(gumbel_top_k, epsilon="k * eps")
def phi(q, q_, omega, H):
    return H.shift(g=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
