"""Gradient descent on (w - x)^2 / 2, one value a step, the gradient clipped to [-1/2, 1/2]."""

from typing import Annotated

from alignkit import Epsilon, Noise, Positive, Queries, Sensitivity, alignment, clamp, mechanism


@mechanism
def noisy_sgd(
    x: Annotated[Queries, Sensitivity("delta")], rate: Positive, delta: Positive, eps: Epsilon, noise: Noise
):
    w = 0
    for x_i in x:
        eta_i = noise.laplace(1 / eps)
        w = w - rate * (clamp(w - x_i, -1 / 2, 1 / 2) + eta_i)
        yield w


@alignment(noisy_sgd, epsilon="eps", adjacency="one")
def phi(x, x_, omega, H):
    before = [0, *omega]
    return H.shift(
        eta_i=[
            clamp(before[i] - x[i], -1 / 2, 1 / 2) - clamp(before[i] - x_[i], -1 / 2, 1 / 2)
            for i in range(len(omega))
        ]
    )
