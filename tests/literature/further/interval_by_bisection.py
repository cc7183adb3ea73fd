"""A point below which about a target number of rows lie, by bisection with noisy counts."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, alignment, mechanism


@mechanism
def interval_by_bisection(x: Queries, low: Real, high: Real, target: Real, k: Count, eps: Epsilon, noise: Noise):
    left = low
    right = high
    for r in range(k):
        middle = (left + right) / 2
        count = sum(1 for v in x if v <= middle)
        eta_r = noise.laplace(k / eps)
        if count + eta_r >= target:
            right = middle
            yield ABOVE
        else:
            left = middle
            yield BELOW


@alignment(interval_by_bisection, epsilon="eps", adjacency="one")
def phi(x, x_, low, high, omega, H):
    left = low
    right = high
    shifts = []
    for w in omega:
        middle = (left + right) / 2
        shifts = [*shifts, sum(1 for v in x if v <= middle) - sum(1 for v in x_ if v <= middle)]
        if w is ABOVE:
            right = middle
        else:
            left = middle
    return H.shift(eta_r=shifts)
