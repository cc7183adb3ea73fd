"""R2T, Race to the Top (Dong, Fang, Yi, Tao and Machanavajjhala, SIGMOD 2022), for a sum."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Real, Reals, Sensitivity, alignment, clamp, mechanism

Values = Annotated[Queries, Sensitivity("delta")]


@mechanism
def race_to_the_top(x: Values, tau: Reals, c: Real, delta: Positive, eps: Epsilon, noise: Noise):
    """Truncate at each threshold, add noise of its size and take off a penalty, and put out the largest result."""
    best = 0
    for t in tau:
        e = noise.laplace(len(tau) * t / eps)
        best = max(best, sum(clamp(v, 0, t) for v in x) + e - c * t)
    return best


@alignment(race_to_the_top, epsilon="eps", adjacency="one")
def phi(x, x_, tau, H):
    return H.shift(e=[sum(clamp(v, 0, t) for v in x) - sum(clamp(v, 0, t) for v in x_) for t in tau])
