"""Discrete sparse vector with finite sampling (Ilvento, Algorithms 2 and 5): printed, and repaired where needed."""

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
from alignkit.mechanisms.discrete_sampling import clamped_disc_lap, conditional_lazy, lazy

Answers = Annotated[Queries, Sensitivity("delta"), Lattice("gamma")]
Multiple = Annotated[Real, Lattice("gamma")]
Multiples = Annotated[Reals, Lattice("gamma")]
PositiveMultiple = Annotated[Positive, Lattice("gamma")]


@mechanism
def lazy_discrete_sparse_vector(
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
    """Algorithm 2 as printed: a clamped threshold, and thresholds that are compared without noise of their own."""
    eta1 = eta / 2
    eta2 = eta - eta1
    rho = clamped_disc_lap(eta1 / delta, gamma, low - w, high + w, noise)
    count = 0
    for q_i in q:
        answer = clamp(q_i, low, high)
        rho_i = clamp(rho, answer - w, answer + w)
        a_i = lazy(eta2 / (2 * c * delta), rho_i - answer, gamma, noise)
        yield a_i
        if a_i is ABOVE:
            count = count + 1
        if count >= c:
            break


@mechanism
def simulated_gap_as_printed(
    q: Answers,
    G: Multiples,
    low: Multiple,
    high: Multiple,
    delta: Positive,
    c: Count,
    eta1: Eta,
    eta2: Eta,
    w: PositiveMultiple,
    gamma: Positive,
    noise: Noise,
):
    """Algorithm 5 as printed: each gap is compared with noise known to reach the threshold, and no more than that.

    BoundedLap of line 2 is read as ClampedDiscLap, a_i of line 6 as a_i^0, and lines 14 to 16 stand after the loop
    over the gaps, as they do in Algorithm 4. Of (a_i^0, a_i^1, ...) the first, which is always top, is left out.
    """
    rho = clamped_disc_lap(eta1 / delta, gamma, low - w, high + w, noise)
    count = 0
    for q_i in q:
        answer = clamp(q_i, low, high)
        rho_i = clamp(rho, answer - w, answer + w)
        a_ij = lazy(eta2 / (2 * c * delta), rho_i - answer, gamma, noise)
        if a_ij is ABOVE:
            a_i: list[bool] = []
            for g_j in G:
                if a_ij is ABOVE:
                    tau_c = rho_i - answer
                    tau = g_j + tau_c
                    a_ij = conditional_lazy(eta2 / (2 * c * delta), tau, tau_c, gamma, noise)
                else:
                    a_ij = BELOW
                a_i = [*a_i, a_ij is ABOVE]
            yield a_i
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW


@mechanism
def simulated_gap(
    q: Answers,
    G: Multiples,
    low: Multiple,
    high: Multiple,
    delta: Positive,
    c: Count,
    eta1: Eta,
    eta2: Eta,
    w: PositiveMultiple,
    gamma: Positive,
    noise: Noise,
):
    """Algorithm 5 repaired: each gap is compared with noise known to reach the gap before it.

    The gaps must be at least 0 and in increasing order.
    """
    rho = clamped_disc_lap(eta1 / delta, gamma, low - w, high + w, noise)
    count = 0
    for q_i in q:
        answer = clamp(q_i, low, high)
        rho_i = clamp(rho, answer - w, answer + w)
        a_ij = lazy(eta2 / (2 * c * delta), rho_i - answer, gamma, noise)
        if a_ij is ABOVE:
            a_i: list[bool] = []
            g: float = 0
            for g_j in G:
                if a_ij is ABOVE:
                    tau_c = g + rho_i - answer
                    tau = g_j + rho_i - answer
                    a_ij = conditional_lazy(eta2 / (2 * c * delta), tau, tau_c, gamma, noise)
                    g = g_j
                a_i = [*a_i, a_ij is ABOVE]
            yield a_i
            count = count + 1
            if count >= c:
                break
        else:
            yield BELOW
