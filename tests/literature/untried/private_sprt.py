"""PrivSPRT (Zhang, Mei and Cummings, Private Sequential Hypothesis Testing for Statisticians, AISTATS 2022)."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Real, Sensitivity, Tag, alignment, mechanism

REJECT = Tag("REJECT")
ACCEPT = Tag("ACCEPT")
CONTINUE = Tag("CONTINUE")

Ratios = Annotated[Queries, Sensitivity("delta")]


@mechanism
def private_sprt(x: Ratios, low: Real, high: Real, delta: Positive, eps: Epsilon, noise: Noise):
    """Add up truncated log-likelihood ratios until the sum seems to leave the interval from low to high."""
    up = noise.laplace(4 * delta / eps)
    down = noise.laplace(4 * delta / eps)
    total = 0
    for x_i in x:
        e = noise.laplace(4 * delta / eps)
        total += x_i
        if total + e >= high + up:
            yield REJECT
            break
        elif total + e <= low + down:
            yield ACCEPT
            break
        else:
            yield CONTINUE


@alignment(private_sprt, epsilon="eps", adjacency="one")
def phi(x, x_, omega, delta, H):
    return H.shift(
        up=delta,
        down=-delta,
        e=[
            (delta if w is REJECT else -delta) + sum(x[j] - x_[j] for j in range(i + 1)) if w is not CONTINUE else 0
            for i, w in enumerate(omega)
        ],
    )
