"""Noisy Max and Noisy Top-K with noise on the whole numbers, where ties are real: the lowest index wins them."""

from typing import Annotated

from alignkit import BELOW, Count, Epsilon, Lattice, Noise, Queries, largest, mechanism

Counts = Annotated[Queries, Lattice(1)]


@mechanism
def noisy_max_discrete(q: Counts, eps: Epsilon, noise: Noise):
    """Noisy Max (Algorithm 2 of the VLDB 2020 paper, without its boxes) with discrete Laplace noise."""
    eta = [noise.discrete_laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    (best,) = largest(noisy, 1)
    return best


@mechanism
def noisy_max_with_gap_discrete(q: Counts, eps: Epsilon, noise: Noise):
    """Noisy Max with Gap (Algorithm 2 of the VLDB 2020 paper) with discrete Laplace noise."""
    eta = [noise.discrete_laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best, noisy[best] - noisy[runner_up]


@mechanism
def noisy_top_k_discrete(q: Counts, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K (Algorithm 3 of the VLDB 2020 paper, without the gaps) with discrete Laplace noise."""
    eta = [noise.discrete_laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    return largest(noisy, k)


@mechanism
def noisy_top_k_with_gap_discrete(q: Counts, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with Gap (Algorithm 3 of the VLDB 2020 paper) with discrete Laplace noise."""
    eta = [noise.discrete_laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k + 1)
    return [(top[i], noisy[top[i]] - noisy[top[i + 1]]) for i in range(k)]


@mechanism
def noisy_top_k_with_inner_gaps_discrete(q: Counts, k: Count, eps: Epsilon, noise: Noise):
    """Noisy Top-K with discrete Laplace noise, and by how much each selected answer leads the last one selected.

    Algorithm 3 of the VLDB 2020 paper without its last gap, that to the first answer that is not selected.
    """
    eta = [noise.discrete_laplace(2 * k / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    top = largest(noisy, k)
    return [(top[i], noisy[top[i]] - noisy[top[k - 1]]) for i in range(k)]


@mechanism
def noisy_two_discrete(q: Counts, eps: Epsilon, noise: Noise):
    """Noisy Top-K (Algorithm 3 of the VLDB 2020 paper) for k = 2 and discrete Laplace noise, without its last gap."""
    eta = [noise.discrete_laplace(4 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, second = largest(noisy, 2)
    return best, second, noisy[best] - noisy[second]


@mechanism
def noisy_max_with_gap_of_two_discrete(q: Counts, eps: Epsilon, noise: Noise):
    """Noisy Max with Gap (Algorithm 2 of the VLDB 2020 paper) with discrete Laplace noise of twice its scale.

    It selects the runner-up too, for half of the budget, and does not name it. Without a second answer it says BELOW.
    """
    if len(q) < 2:
        return BELOW
    best, second, gap = noisy_two_discrete(q, eps, noise)
    return best, gap
