"""Each person's number with noise: Geng, Kairouz, Oh and Viswanath, The Staircase Mechanism, IEEE JSTSP 2015."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Proportion, Queries, Sensitivity, alignment, clamp, mechanism

Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def staircase_reports(x: Values, gamma: Proportion, delta: Positive, eps: Epsilon, noise: Noise):
    s = [noise.staircase(2 / eps, gamma, 2) for x_i in x]
    return [clamp(x_i, -1, 1) + s_i for x_i, s_i in zip(x, s)]


@alignment(staircase_reports, epsilon="eps", adjacency="one")
def phi(x, x_, H):
    return H.shift(s=[clamp(x[i], -1, 1) - clamp(x_[i], -1, 1) for i in range(len(x))])
