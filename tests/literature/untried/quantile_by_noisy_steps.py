"""A quantile by noisy gradient steps (Andrew, Thakkar, McMahan and Ramaswamy, NeurIPS 2021, the linear update).

The count of each round has Laplace noise here.
"""

from typing import Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Real, Sensitivity, alignment, mechanism

Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def quantile_by_noisy_steps(
    x: Values,
    start: Real,
    target: Real,
    rate: Positive,
    rounds: Count,
    delta: Positive,
    eps: Epsilon,
    noise: Noise,
):
    """Lower the level where more than the target share of the values seems to lie below it, and raise it otherwise."""
    level = start
    for _ in range(rounds):
        e = noise.laplace(rounds / eps)
        share = (sum(1 for v in x if v <= level) + e) / len(x)
        level = level - rate * (share - target)
        yield level


@alignment(quantile_by_noisy_steps, epsilon="eps", adjacency="one")
def phi(x, x_, start, rounds, omega, H):
    before = [start, *omega]
    return H.shift(
        e=[
            sum(1 for v in x if v <= before[i]) - sum(1 for v in x_ if v <= before[i])
            for i in range(rounds)
        ]
    )
