"""The mean and the variance of values in [0, 1], from the noisy sums of the values and of their squares.

Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo and Gipson, Differentially Private SQL with Bounded User Contribution,
PoPETs 2020, ANON_VAR as their library computes it. The number of values is public, and each sum has half of the budget.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def mean_and_variance(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    n = len(q)
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    mean = (sum(clamp(x, 0, 1) for x in q) + e) / n
    square = (sum(clamp(x, 0, 1) ** 2 for x in q) + f) / n
    return mean, square - mean * mean


@alignment(mean_and_variance, epsilon="eps", adjacency="one")
def phi(q, q_, H):
    return H.shift(
        e=sum(clamp(x, 0, 1) for x in q) - sum(clamp(x, 0, 1) for x in q_),
        f=sum(clamp(x, 0, 1) ** 2 for x in q) - sum(clamp(x, 0, 1) ** 2 for x in q_),
    )
