"""k random measurements of a histogram: Li, Zhang, Winslett and Yang, Compressive Mechanism, WPES 2011.

The signs are public, k rows of them; a measurement is a signed sum divided by the root of k.
"""

from alignkit import Count, Epsilon, Noise, Queries, Reals, alignment, mechanism, sqrt


@mechanism
def compressive_mechanism(x: Queries, signs: Reals, k: Count, eps: Epsilon, noise: Noise):
    for i in range(k):
        e_i = noise.laplace(sqrt(k) / eps)
        y_i = sum(x_j if signs[i * len(x) + j] > 0 else -x_j for j, x_j in enumerate(x)) / sqrt(k)
        yield y_i + e_i


@alignment(compressive_mechanism, epsilon="eps", adjacency="one")
def phi(x, x_, signs, k, H):
    """Each measurement changes by at most 1 / sqrt(k)."""
    n = len(x)
    return H.shift(
        e_i=[
            sum(x[j] - x_[j] if signs[i * n + j] > 0 else x_[j] - x[j] for j in range(n)) / sqrt(k) for i in range(k)
        ]
    )
