"""Subset selection (Ye and Barg, Optimal Schemes under Local Differential Privacy, 2018), two of four values."""

from typing import Annotated

from alignkit import Epsilon, Noise, Query, Sensitivity, alignment, exp, mechanism

Value = Annotated[Query, Sensitivity(3)]


@mechanism
def subset_selection_of_four(v: Value, eps: Epsilon, noise: Noise):
    """Report one of the six pairs of values; a pair that holds the true value is exp(eps) times likelier."""
    zero = v < 1
    one = 1 <= v < 2
    two = 2 <= v < 3
    three = v >= 3
    c = noise.choice(
        [
            exp(eps) if zero or one else 1,
            exp(eps) if zero or two else 1,
            exp(eps) if zero or three else 1,
            exp(eps) if one or two else 1,
            exp(eps) if one or three else 1,
            exp(eps) if two or three else 1,
        ]
    )
    return c


@alignment(subset_selection_of_four, epsilon="eps")
def phi(H):
    return H.shift()
