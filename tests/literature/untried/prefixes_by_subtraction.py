"""Prefix sums of a block by subtraction (Andersson, Pagh and Torkamani, Count on Your Elders, 2024), five days.

The later prefixes are the noisy total less the noisy days that are still to come, so the middle day needs no noise.
"""

from alignkit import Epsilon, Noise, Query, alignment, mechanism


@mechanism
def prefixes_by_subtraction(a: Query, b: Query, c: Query, d: Query, e: Query, eps: Epsilon, noise: Noise):
    """Put out the five prefix sums of five days."""
    r = noise.laplace(2 / eps)
    at_a = noise.laplace(2 / eps)
    at_b = noise.laplace(2 / eps)
    at_d = noise.laplace(2 / eps)
    at_e = noise.laplace(2 / eps)
    first = a + at_a
    second = first + b + at_b
    total = a + b + c + d + e + r
    fourth = total - (e + at_e)
    third = fourth - (d + at_d)
    return first, second, third, fourth, total


@alignment(prefixes_by_subtraction, epsilon="eps", adjacency="one")
def phi(a, a_, b, b_, c, c_, d, d_, e, e_, H):
    return H.shift(
        r=(a - a_) + (b - b_) + (c - c_) + (d - d_) + (e - e_),
        at_a=a - a_,
        at_b=b - b_,
        at_d=d - d_,
        at_e=e - e_,
    )
