"""An empirical distribution function: how many rows lie at or below each of a list of public thresholds."""

from alignkit import Epsilon, Noise, Queries, Reals, alignment, mechanism


@mechanism
def counts_at_thresholds(x: Queries, T: Reals, eps: Epsilon, noise: Noise):
    for t in T:
        eta_t = noise.laplace(len(T) / eps)
        yield sum(1 for v in x if v <= t) + eta_t


@alignment(counts_at_thresholds, epsilon="eps", adjacency="one")
def phi(x, x_, T, H):
    return H.shift(eta_t=[sum(1 for v in x if v <= t) - sum(1 for v in x_ if v <= t) for t in T])
