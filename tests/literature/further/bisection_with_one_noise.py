"""Bisection of a range by counts that all have the same noise."""

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, mechanism


@mechanism
def bisection_with_one_noise(x: Queries, low: Real, high: Real, target: Real, k: Count, eps: Epsilon, noise: Noise):
    left = low
    right = high
    eta = noise.laplace(1 / eps)
    for r in range(k):
        middle = (left + right) / 2
        if sum(1 for v in x if v <= middle) + eta >= target:
            right = middle
            yield ABOVE
        else:
            left = middle
            yield BELOW
