"""The noisy sum of the last w answers at each step; an answer counts in w windows, and one of them is paid for."""

from alignkit import Count, Epsilon, Noise, Queries, alignment, mechanism


@mechanism
def windows(q: Queries, w: Count, eps: Epsilon, noise: Noise):
    for i in range(len(q)):
        eta_i = noise.laplace(1 / eps)
        yield sum(q[j] for j in range(max(0, i - w + 1), i + 1)) + eta_i


@alignment(windows, epsilon="eps", adjacency="one")
def phi(q, q_, w, H):
    return H.shift(
        eta_i=[sum(q[j] - q_[j] for j in range(max(0, i - w + 1), i + 1)) for i in range(len(q))]
    )
