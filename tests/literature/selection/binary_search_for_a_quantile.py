"""Binary search of a sorted grid, by one noisy rank a step."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def binary_search(rank: Queries, target: Real, k: Count, eps: Epsilon, noise: Noise):
    low = 0
    high = len(rank) - 1
    for j in range(k):
        middle = (low + high) // 2
        eta_j = noise.laplace(1 / eps)
        if rank[middle] + eta_j >= target:
            high = middle
            yield ABOVE
        else:
            low = middle
            yield BELOW


@alignment(binary_search, epsilon="k * eps")
def phi(rank, rank_, k, omega, H):
    low = 0
    high = len(rank) - 1
    shifts = []
    for w in omega:
        middle = (low + high) // 2
        shifts = [*shifts, rank[middle] - rank_[middle]]
        if w is ABOVE:
            high = middle
        else:
            low = middle
    return H.shift(eta_j=shifts)
