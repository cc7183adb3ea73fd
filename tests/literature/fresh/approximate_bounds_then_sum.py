"""A bound for the values is read off a noisy histogram, and the values are clipped to it and added up.

Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson, Differentially Private SQL with Bounded User Contribution,
PoPETs 2020, Approximate Bounds and then a sum, with k bins of one width. The sum is told in units of the bound.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, alignment, clamp, mechanism


@mechanism
def approximate_bounds(
    q: Annotated[Queries, Sensitivity("delta")],
    T: Real,
    k: Count,
    width: Positive,
    delta: Positive,
    eps1: Epsilon,
    eps2: Epsilon,
    noise: Noise,
):
    top = 0
    for j in range(k):
        e_j = noise.laplace(2 / eps1)
        if sum(1 for x in q if j * width <= x < (j + 1) * width) + e_j >= T:
            top = j
    f = noise.laplace(1 / eps2)
    return top, sum(clamp(x / ((top + 1) * width), 0, 1) for x in q) + f


@alignment(approximate_bounds, epsilon="eps1 + eps2", adjacency="one")
def phi(q, q_, k, width, omega, H):
    bound = (omega[0] + 1) * width
    return H.shift(
        e_j=[
            sum(1 for x in q if j * width <= x < (j + 1) * width)
            - sum(1 for x in q_ if j * width <= x < (j + 1) * width)
            for j in range(k)
        ],
        f=sum(clamp(x / bound, 0, 1) for x in q) - sum(clamp(x / bound, 0, 1) for x in q_),
    )
