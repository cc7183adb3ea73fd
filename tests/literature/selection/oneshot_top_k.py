"""The positions of the k largest, with noise drawn once."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def oneshot_top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    return largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k)


@alignment(oneshot_top_k, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
