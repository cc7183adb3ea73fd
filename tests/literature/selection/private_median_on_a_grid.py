"""The grid point whose rank is nearest to n / 2, by the exponential mechanism."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, largest, mechanism


@mechanism
def private_median(rank: Queries, n: Count, eps: Epsilon, noise: Noise):
    g = [noise.gumbel(2 / eps) for r in rank]
    (best,) = largest([g_i - abs(r - n / 2) for r, g_i in zip(rank, g)], 1)
    return best


@alignment(private_median, epsilon="eps")
def phi(rank, rank_, n, omega, H):
    return H.shift(
        g=[
            1 + abs(rank_[i] - n / 2) - abs(rank[i] - n / 2) if i == omega else 0 for i in range(len(rank))
        ]
    )
