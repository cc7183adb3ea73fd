"""DPLloyd with two centres on a line: Su, Cao, Li, Bertino and Jin, Differentially Private k-Means, CODASPY 2016."""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, alignment, clamp, mechanism

Points = Annotated[Queries, Sensitivity("delta")]


@mechanism
def two_means(
    x: Points, low: Real, high: Real, rounds: Count, delta: Positive, eps: Epsilon, noise: Noise
):
    a = low
    b = high
    for t in range(rounds):
        middle = (a + b) / 2
        n_t = noise.laplace(4 * rounds / eps)
        s_t = noise.laplace(4 * rounds / eps)
        m_t = noise.laplace(4 * rounds / eps)
        r_t = noise.laplace(4 * rounds / eps)
        left = sum(1 for v in x if v < middle) + n_t
        left_sum = sum(clamp(v, 0, 1) for v in x if v < middle) + s_t
        right = sum(1 for v in x if v >= middle) + m_t
        right_sum = sum(clamp(v, 0, 1) for v in x if v >= middle) + r_t
        a = clamp(left_sum / left, 0, 1) if left > 1 else a
        b = clamp(right_sum / right, 0, 1) if right > 1 else b
        yield a, b


@alignment(two_means, epsilon="eps", adjacency="one")
def phi(x, x_, low, high, omega, H):
    """One point changes, so each of the two counts and two sums changes by at most 1."""
    a = low
    b = high
    n = []
    s = []
    m = []
    r = []
    for t in range(len(omega)):
        middle = (a + b) / 2
        n = [*n, sum(1 for v in x if v < middle) - sum(1 for v in x_ if v < middle)]
        s = [*s, sum(clamp(v, 0, 1) for v in x if v < middle) - sum(clamp(v, 0, 1) for v in x_ if v < middle)]
        m = [*m, sum(1 for v in x if v >= middle) - sum(1 for v in x_ if v >= middle)]
        r = [*r, sum(clamp(v, 0, 1) for v in x if v >= middle) - sum(clamp(v, 0, 1) for v in x_ if v >= middle)]
        a, b = omega[t]
    return H.shift(n_t=n, s_t=s, m_t=m, r_t=r)
