"""The positions of the k largest, gathered one by one."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    out = []
    for j in largest(noisy, k):
        out = [*out, j]
    return out


@alignment(top_k, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
