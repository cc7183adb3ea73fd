"""Successive elimination with two arms (Sajed and Sheffet, ICML 2019, DP-SE): fresh rewards in each epoch."""

from alignkit import Epsilon, Noise, Queries, Real, Tag, alignment, mechanism

FIRST = Tag("FIRST")
SECOND = Tag("SECOND")
BOTH = Tag("BOTH")


@mechanism
def two_arms_by_elimination(a: Queries, b: Queries, margin: Real, eps: Epsilon, noise: Noise):
    """Compare the noisy totals of the rewards of each epoch, until one arm lies behind by more than the margin."""
    for a_i, b_i in zip(a, b):
        e = noise.laplace(1 / eps)
        f = noise.laplace(1 / eps)
        lead = a_i + e - (b_i + f)
        if lead > margin:
            yield FIRST
            break
        elif lead < -margin:
            yield SECOND
            break
        else:
            yield BOTH


@alignment(two_arms_by_elimination, epsilon="eps", adjacency="one")
def phi(a, a_, b, b_, omega, H):
    return H.shift(
        e=[a[i] - a_[i] for i in range(len(omega))],
        f=[b[i] - b_[i] for i in range(len(omega))],
    )
