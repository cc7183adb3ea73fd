"""A quantile by responses: Liu, Hu, Ding and Kong, Online Local Differential Private Quantile Inference, ICML 2023."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Real, Reals, Sensitivity, Tag, alignment, exp, mechanism

YES = Tag("YES")
NO = Tag("NO")
Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def online_quantile(
    x: Values, start: Real, step: Reals, up: Positive, down: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    level = start
    for i, x_i in enumerate(x):
        coin = noise.choice([exp(eps), 1])
        truth = 1 if x_i > level else 0
        said = truth if coin == 0 else 1 - truth
        if said == 1:
            yield YES
            level = level + step[i] * up
        else:
            yield NO
            level = level - step[i] * down


@alignment(online_quantile, epsilon="eps", adjacency="one")
def phi(x, x_, start, step, up, down, omega, H):
    """The coin of the person whose value changes is turned if the true answer changes."""
    level = start
    coins = []
    for i, w in enumerate(omega):
        said = 1 if w is YES else 0
        here = 1 if x[i] > level else 0
        there = 1 if x_[i] > level else 0
        coins = [*coins, abs(said - there) - abs(said - here)]
        level = level + step[i] * up if w is YES else level - step[i] * down
    return H.shift(coin=coins)
