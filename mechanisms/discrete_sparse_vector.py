"""Sparse vector with noise on a lattice: base 2, clamped thresholds, and gaps by which are reached (Ilvento's paper).

All thresholds are 0: q_i stands for the answer less its threshold. The noise is drawn from the whole lattice and then
clamped; the finite simulations are in `discrete_simulation`.
"""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Eta,
    Lattice,
    Noise,
    Positive,
    Queries,
    Real,
    Reals,
    Sensitivity,
    clamp,
    mechanism,
)

Answers = Annotated[Queries, Sensitivity("delta"), Lattice("gamma")]
Multiple = Annotated[Real, Lattice("gamma")]
Multiples = Annotated[Reals, Lattice("gamma")]
PositiveMultiple = Annotated[Positive, Lattice("gamma")]


@mechanism
def discrete_sparse_vector(
    q: Answers,
    low: Multiple,
    high: Multiple,
    delta: Positive,
    c: Count,
    eta: Eta,
    w: PositiveMultiple,
    gamma: Positive,
    noise: Noise,
):
    """Discrete Sparse Vector (Algorithm 2 of Ilvento's paper), with noise drawn before it is clamped or compared."""
    eta1 = eta / 2
    eta2 = eta - eta1
    rho = noise.discrete_laplace_base2(eta1 / delta, gamma)
    count = 0
    for q_i in q:
        answer = clamp(q_i, low, high)
        rho_i = clamp(rho, answer - w, answer + w)
        nu_i = noise.discrete_laplace_base2(eta2 / (2 * c * delta), gamma)
        if answer + nu_i >= rho_i:
            yield ABOVE
            count = count + 1
        else:
            yield BELOW
        if count >= c:
            break


@mechanism
def discrete_sparse_vector_with_gap(
    q: Answers,
    G: Multiples,
    delta: Positive,
    c: Count,
    eta1: Eta,
    eta2: Eta,
    w: PositiveMultiple,
    gamma: Positive,
    noise: Noise,
):
    """Discrete Sparse Vector with Gap (Algorithm 4 of Ilvento's paper): which gaps of G does a winner reach?"""
    rho = noise.discrete_laplace_base2(eta1 / delta, gamma)
    count = 0
    for q_i in q:
        nu_i = noise.discrete_laplace_base2(eta2 / (2 * delta * c), gamma)
        rho_i = clamp(rho, q_i - w, q_i + w)
        if nu_i + q_i >= rho_i:
            yield [nu_i + q_i >= rho_i + g for g in G]
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def discrete_sparse_vector_with_bounded_gap(
    q: Answers,
    most: PositiveMultiple,
    delta: Positive,
    c: Count,
    eta1: Eta,
    eta2: Eta,
    w: PositiveMultiple,
    gamma: Positive,
    noise: Noise,
):
    """Discrete Sparse Vector that releases a winner's gap, up to `most` (the end of Section 5 of Ilvento's paper)."""
    rho = noise.discrete_laplace_base2(eta1 / delta, gamma)
    count = 0
    for q_i in q:
        nu_i = noise.discrete_laplace_base2(eta2 / (2 * delta * c), gamma)
        gap = nu_i + q_i - clamp(rho, q_i - w, q_i + w)
        if gap >= 0:
            yield min(most, gap)
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW
