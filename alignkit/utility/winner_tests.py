"""Whether the outcome that the exponential mechanism selected has the largest utility, judged by its gap.

The gap of `exponential_mechanism_with_gap` is in units of 2Δ/ε: x_s − x_t for x = ε u/(2Δ) + Gumbel noise of scale 1.
Given that s was selected, P(gap ≥ g) = (1 + e^θ)/(e^θ + e^g), where θ = x̄_s − ln Σ_{j ≠ s} exp(x̄_j) and x̄ = ε u/(2Δ).
This law is conditional on the selection, so the statements below hold for the selected outcome.
"""

from __future__ import annotations

import numpy as np

from alignkit.utility.real_arrays import Floats, at_least_zero, between_zero_and_one, fitting_together


def winner_p_value(gap: object) -> Floats:
    """Bound the probability of a gap so large, if another outcome has a larger utility: 2/(1 + e^gap).

    ``gap`` is what `exponential_mechanism_with_gap` gives, in units of 2Δ/ε; a gap of utilities must be multiplied by
    ε/(2Δ) first. Under the hypothesis that the selected outcome is not best (its utility is at most that of some
    other), and given that it was selected, the result is at most α with probability at most α, for every α.

    Source: Theorem 7 of the VLDB Journal paper as published (it is not in the authors' text).
    Raises InputError for gaps that are below 0, empty or not finite.

    >>> print(np.round(winner_p_value([0, 1, 5]), 4))
    [1.     0.5379 0.0134]
    """
    size = at_least_zero(gap, "gap", "a gap of the exponential mechanism, such as 3.7")
    # The same as 2/(1 + e^gap), without overflow.
    result: Floats = 2 * np.exp(-size) / (1 + np.exp(-size))
    return result


def winner_is_best(gap: object, confidence: object = 0.95) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Test whether the selected outcome has a larger utility than every other: whether p ≤ 1 − ``confidence``.

    If it has not, the answer is True with probability at most 1 − ``confidence``, for every number of outcomes and all
    utilities, also given which outcome was selected. False says nothing. For gaps and their unit see `winner_p_value`.

    Source: Theorem 7 of the VLDB Journal paper as published.
    Raises InputError for gaps that are below 0, empty or not finite, and for a confidence outside (0, 1).

    >>> winner_is_best([1.0, 3.7], confidence=0.95).tolist()
    [False, True]
    """
    level = between_zero_and_one(confidence, "confidence", "0.95")
    p_value, level = fitting_together({"gap": winner_p_value(gap), "confidence": level})
    return np.asarray(p_value <= 1 - level)


def winner_lead_bound(gap: object, confidence: object = 0.95) -> Floats:
    """Bound the winner's lead over the best other outcome from below, in units of 2Δ/ε.

    With probability at least ``confidence``, also given which outcome was selected, ε (u_s − max_{j ≠ s} u_j)/(2Δ) is
    at least the result; for a bound in utilities, multiply it by 2Δ/ε. It is −∞ where the gap is at most ln(1/α), with
    α = 1 − ``confidence``, and at least 0 exactly where `winner_is_best` answers True.

    Source: derived from the law of the gap (Theorem 6 of the VLDB Journal paper as published, 7 of the authors' text).
    P(gap ≥ g) grows with θ and equals α at e^θ = (α e^g − 1)/(1 − α), and the lead is at least θ.
    Raises InputError for gaps that are below 0, empty or not finite, and for a confidence outside (0, 1).

    >>> print(np.round(winner_lead_bound([2, 3.7, 10], confidence=0.95), 3))
    [ -inf 0.073 7.055]
    """
    size = at_least_zero(gap, "gap", "a gap of the exponential mechanism, such as 3.7")
    level = between_zero_and_one(confidence, "confidence", "0.95")
    size, level = fitting_together({"gap": size, "confidence": level})
    excess = size + np.log1p(-level)  # ln(α e^g)
    bounded = excess > 0
    above = np.where(bounded, excess, 1.0)
    result: Floats = np.where(bounded, above + np.log(-np.expm1(-above)) - np.log(level), -np.inf)
    return result
