"""PrivKV (Ye et al., IEEE S&P 2019) without a random value for those who have none: they send a zero."""

from typing import Annotated

from alignkit import Epsilon, Noise, Query, Sensitivity, Tag, alignment, clamp, exp, mechanism

PLUS = Tag("PLUS")
MINUS = Tag("MINUS")
ZERO = Tag("ZERO")
NOTHING = Tag("NOTHING")

Value = Annotated[Query, Sensitivity(2)]


@mechanism
def values_of_owners_only(has: Query, v: Value, eps: Epsilon, noise: Noise):
    """Say whether one has the key, by randomised response, and if so, the perturbed sign of a value, if any."""
    x = clamp(v, -1, 1)
    sign = noise.choice([exp(eps / 2) * (1 + x) + 1 - x, exp(eps / 2) * (1 - x) + 1 + x])
    sent = noise.choice([exp(eps / 2) if has > 0 else 1, 1 if has > 0 else exp(eps / 2)])
    if sent == 0:
        if has > 0:
            return PLUS if sign == 0 else MINUS
        return ZERO
    return NOTHING


@alignment(values_of_owners_only, epsilon="eps", expect="refuted")
def phi(H):
    return H.shift()
