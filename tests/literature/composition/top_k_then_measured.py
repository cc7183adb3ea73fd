"""The k largest are selected, and each is measured with fresh noise."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def top_k_measured(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(4 * k / eps) for q_i in q]
    for j in largest([q_i + eta_i for q_i, eta_i in zip(q, eta)], k):
        xi_j = noise.laplace(2 * k / eps)
        yield j, q[j] + xi_j


@alignment(top_k_measured, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(
        eta=[1 + q[i] - q_[i] if i in {j for j, y in omega} else 0 for i in range(len(q))],
        xi_j=[q[j] - q_[j] for j, y in omega],
    )
