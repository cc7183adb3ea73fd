"""The Top-m Filter for graphs (Nguyen, Imine and Rusinowitch, ASONAM 2015): a noisy number of edges, then cells."""

from alignkit import ABOVE, BELOW, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def top_m_filter(a: Queries, T: Real, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    """Measure the number of edges, and keep cells of the adjacency matrix above T until that many are kept."""
    z = noise.laplace(1 / eps1)
    m = sum(a) + z
    yield m
    kept = 0
    for a_i in a:
        e = noise.laplace(1 / eps2)
        if kept < m and a_i + e >= T:
            kept += 1
            yield ABOVE
        else:
            yield BELOW


@alignment(top_m_filter, epsilon="eps1 + eps2", adjacency="one")
def phi(a, a_, H):
    return H.shift(z=sum(a) - sum(a_), e=[a[i] - a_[i] for i in range(len(a))])
