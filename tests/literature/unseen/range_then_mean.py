"""A range by a noisy histogram, then the clipped mean: Karwa and Vadhan, Confidence Intervals, ITCS 2018."""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, largest, mechanism

Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def range_then_mean(
    x: Values, bins: Count, width: Positive, delta: Positive, eps1: Epsilon, eps2: Epsilon, noise: Noise
):
    counts = [sum(1 for v in x if j * width <= v < (j + 1) * width) for j in range(bins)]
    e = [noise.laplace(2 / eps1) for j in range(bins)]
    (best,) = largest([c + e_j for c, e_j in zip(counts, e)], 1)
    low = (best - 1) * width
    high = (best + 2) * width
    f = noise.laplace(3 * width / eps2)
    return best, (sum(clamp(v, low, high) for v in x) + f) / len(x)


@alignment(range_then_mean, epsilon="eps1 + eps2", adjacency="one")
def phi(x, x_, bins, width, omega, H):
    best, mean = omega
    low = (best - 1) * width
    high = (best + 2) * width
    counts = [sum(1 for v in x if j * width <= v < (j + 1) * width) for j in range(bins)]
    counts_ = [sum(1 for v in x_ if j * width <= v < (j + 1) * width) for j in range(bins)]
    return H.shift(
        e=[1 + counts[j] - counts_[j] if j == best else 0 for j in range(bins)],
        f=sum(clamp(v, low, high) for v in x) - sum(clamp(v, low, high) for v in x_),
    )
