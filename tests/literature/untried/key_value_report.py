"""The local perturbation of PrivKV (Ye, Hu, Meng and Zheng, IEEE S&P 2019).

Who has no value draws one at random, which is as good as the value 0.
"""

from typing import Annotated

from alignkit import Epsilon, Noise, Query, Sensitivity, Tag, alignment, clamp, exp, mechanism

PLUS = Tag("PLUS")
MINUS = Tag("MINUS")
NOTHING = Tag("NOTHING")

Value = Annotated[Query, Sensitivity(2)]


@mechanism
def key_value_report(has: Query, v: Value, eps1: Epsilon, eps2: Epsilon, noise: Noise):
    """Say whether one has the key, by randomised response, and if so, a perturbed sign for the value."""
    x = clamp(v, -1, 1) if has > 0 else 0
    sign = noise.choice([exp(eps2) * (1 + x) + 1 - x, exp(eps2) * (1 - x) + 1 + x])
    sent = noise.choice([exp(eps1) if has > 0 else 1, 1 if has > 0 else exp(eps1)])
    if sent == 0:
        return PLUS if sign == 0 else MINUS
    return NOTHING


@alignment(key_value_report, epsilon="eps1 + eps2")
def phi(H):
    return H.shift()
