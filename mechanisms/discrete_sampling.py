"""Sampling functions for exact implementation (Ilvento, Algorithm 3), beside the infinite noise that they stand for.

Each stands here as it is printed. GetSum is one function in the paper, whose ends may be infinite; here it is four, one
for each way of having ends. A choice of noise.choice stands for NormalizedSample.
"""

from typing import Annotated

from alignkit import (
    ABOVE,
    BELOW,
    Eta,
    Lattice,
    Noise,
    Positive,
    Query,
    Real,
    Sensitivity,
    clamp,
    exp2,
    lattice_points,
    mechanism,
    power,
)

Answer = Annotated[Query, Sensitivity("gamma"), Lattice("gamma")]
Multiple = Annotated[Real, Lattice("gamma")]


def get_sum_of_all(B):
    """GetSum(B, -infinity, infinity), line 25: (1 - B) times the sum of B^|k| over all k."""
    return 1 + B


def get_sum_up_to(B, u):
    """GetSum(B, -infinity, u), line 27."""
    return power(B, abs(u)) if u <= 0 else 1 + B - power(B, abs(u) + 1)


def get_sum_from(B, ell):
    """GetSum(B, ell, infinity), line 29."""
    return power(B, abs(ell)) if ell >= 0 else 1 + B - power(B, abs(ell) + 1)


def get_sum(B, ell, u):
    """GetSum(B, ell, u), line 31."""
    return (1 + B) - get_sum_up_to(B, ell - 1) - get_sum_from(B, u + 1)


def clamped_disc_lap(eta, gamma, w_min, w_max, noise):
    """ClampedDiscLap, lines 1 to 14: first which region the noise falls into, and its value in the middle one only."""
    p_low = get_sum_up_to(exp2(-eta * gamma), w_min / gamma - 1)
    p_up = get_sum_from(exp2(-eta * gamma), w_max / gamma + 1)
    p_all = get_sum_of_all(exp2(-eta * gamma))
    p_middle = p_all - p_low - p_up
    r = noise.choice([p_low, p_middle, p_up])
    if r == 2:
        return w_max
    if r == 0:
        return w_min
    outcomes = lattice_points(w_min, w_max, gamma)
    o = noise.choice([exp2(-eta * abs(o)) for o in outcomes])
    return outcomes[o]


def lazy(eta, tau, gamma, noise):
    """LazyThreshold, lines 15 to 18: whether noise would be at least tau, without the noise."""
    p_top = get_sum_from(exp2(-eta * gamma), tau / gamma)
    p_bottom = get_sum_of_all(exp2(-eta * gamma)) - p_top
    o = noise.choice([p_top, p_bottom])
    return ABOVE if o == 0 else BELOW


def conditional_lazy(eta, tau, tau_c, gamma, noise):
    """CondLazyThreshold, lines 19 to 22: whether noise that is at least tau_c would be at least tau."""
    p_top = get_sum_from(exp2(-eta * gamma), tau / gamma)
    p_bottom = get_sum_from(exp2(-eta * gamma), tau_c / gamma) - p_top
    o = noise.choice([p_top, p_bottom])
    return ABOVE if o == 0 else BELOW


@mechanism
def clamped_sampling(
    q: Answer,
    w_min: Multiple,
    w_max: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """An answer with noise of ClampedDiscLap."""
    rho = clamped_disc_lap(eta, gamma, w_min, w_max, noise)
    return q + rho


@mechanism
def clamping_after_sampling(
    q: Answer,
    w_min: Multiple,
    w_max: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """An answer with discrete Laplace noise that is clamped once it is drawn (Equation 2 of Ilvento)."""
    rho = noise.discrete_laplace_base2(eta, gamma)
    return q + clamp(rho, w_min, w_max)


@mechanism
def lazy_threshold(
    q: Answer,
    tau: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """Whether a noisy answer is at least tau, by LazyThreshold."""
    a = lazy(eta, tau - q, gamma, noise)
    return a


@mechanism
def drawn_threshold(
    q: Answer,
    tau: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """Whether a noisy answer is at least tau, by noise that is drawn."""
    nu = noise.discrete_laplace_base2(eta, gamma)
    return ABOVE if nu >= tau - q else BELOW


@mechanism
def lazy_thresholds(
    q: Answer,
    tau: Multiple,
    tau_c: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """Whether a noisy answer is at least tau_c and, if it is, tau: by LazyThreshold, then CondLazyThreshold."""
    first = lazy(eta, tau_c - q, gamma, noise)
    if first is BELOW:
        return [BELOW]
    second = conditional_lazy(eta, tau - q, tau_c - q, gamma, noise)
    return [first, second]


@mechanism
def drawn_thresholds(
    q: Answer,
    tau: Multiple,
    tau_c: Multiple,
    gamma: Positive,
    eta: Eta,
    noise: Noise,
):
    """Whether a noisy answer is at least tau_c and, if it is, tau: the same noise for both."""
    nu = noise.discrete_laplace_base2(eta, gamma)
    if nu >= tau_c - q:
        return [ABOVE, ABOVE if nu >= tau - q else BELOW]
    return [BELOW]
