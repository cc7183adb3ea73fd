"""Race to the Top (Dong et al., SIGMOD 2022) with the whole budget for each threshold."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Real, Reals, Sensitivity, alignment, clamp, mechanism

Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def race_to_the_top_with_one_budget(x: Values, tau: Reals, c: Real, delta: Positive, eps: Epsilon, noise: Noise):
    """Truncate at each threshold and add noise of its size, as if there were no other threshold."""
    best = 0
    for t in tau:
        e = noise.laplace(t / eps)
        best = max(best, sum(clamp(v, 0, t) for v in x) + e - c * t)
    return best


@alignment(race_to_the_top_with_one_budget, epsilon="eps", adjacency="one", expect="refuted")
def phi(x, x_, tau, H):
    return H.shift(e=[sum(clamp(v, 0, t) for v in x) - sum(clamp(v, 0, t) for v in x_) for t in tau])
