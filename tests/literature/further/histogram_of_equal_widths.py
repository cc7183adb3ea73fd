"""A histogram of rows in bins of equal width; a row that moves leaves one bin and enters another."""

from alignkit import Count, Epsilon, Noise, Positive, Queries, Real, alignment, mechanism


@mechanism
def histogram(x: Queries, low: Real, width: Positive, m: Count, eps: Epsilon, noise: Noise):
    for j in range(m):
        left = low + j * width
        eta_j = noise.laplace(2 / eps)
        yield sum(1 for v in x if left <= v < left + width) + eta_j


def in_bin(x, left, width):
    return sum(1 for v in x if left <= v < left + width)


@alignment(histogram, epsilon="eps", adjacency="one")
def phi(x, x_, low, width, m, H):
    return H.shift(
        eta_j=[in_bin(x, low + j * width, width) - in_bin(x_, low + j * width, width) for j in range(m)]
    )
