"""The noise has a proposed scale, and a noisy distance to instability is tested; the answer may change by more."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Query, Real, Sensitivity, Tag, mechanism

REFUSED = Tag("REFUSED")


@mechanism
def propose_test_release(
    distance: Query,
    answer: Annotated[Query, Sensitivity("wide")],
    T: Real,
    scale: Positive,
    wide: Positive,
    eps: Epsilon,
    noise: Noise,
):
    e = noise.laplace(2 / eps)
    if distance + e >= T:
        f = noise.laplace(2 * scale / eps)
        return answer + f
    else:
        return REFUSED
