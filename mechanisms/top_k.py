"""Noisy Top-K: which k queries have the largest answers, and by how much each leads the next."""

from alignkit import Count, Epsilon, Noise, Queries, largest, mechanism


@mechanism
def noisy_top_k(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K (Algorithm 3 of the VLDB 2020 paper, Algorithm 4 of the VLDB Journal paper, without the gaps)."""
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    return largest(noisy, k)


@mechanism
def noisy_top_k_with_gap(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with Gap (Algorithm 3 of the VLDB 2020 paper, Algorithm 4 of the VLDB Journal paper)."""
    eta = [noise.laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]


@mechanism
def noisy_top_k_exponential(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with one-sided noise (Section 6.2 of the VLDB Journal paper, without the gaps)."""
    eta = [noise.exponential(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    return largest(noisy, k)


@mechanism
def noisy_top_k_with_gap_exponential(q: Queries, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with Gap with one-sided noise (Section 6.2 of the VLDB Journal paper)."""
    eta = [noise.exponential(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]
