"""Lower confidence bounds for answers that came out above a noisy threshold, from their gaps.

A gap is q + Z − T: the answer q, the public threshold T, and Z, the noise of the answer less that of the threshold,
both with their means taken off.

Whether the outcome that the exponential mechanism selected has the largest utility, judged by its gap.

The gap of `exponential_mechanism_with_gap` is in units of 2Δ/ε: x_s − x_t for x = ε u/(2Δ) + Gumbel noise of scale 1.
Given that s was selected, P(gap ≥ g) = (1 + e^θ)/(e^θ + e^g), where θ = x̄_s − ln Σ_{j ≠ s} exp(x̄_j) and x̄ = ε u/(2Δ).
This law is conditional on the selection, so the statements below hold for the selected outcome.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.utility.real_arrays import (
    Floats,
    above_zero,
    at_least_zero,
    between_zero_and_one,
    fitting_together,
    real_array,
)
from alignkit.utility.threshold_shares import last_at_least


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


def _laplace_log_survival(z: Floats, threshold_scale: Floats, query_scale: Floats) -> Floats:
    """ln P(Z ≥ z) for Laplace noise.

    For t ≥ 0, with a ≤ b the two rates 1/scale, Lemma 7 says P(Z ≥ t) = e^(−at) (1 + a² c/(a + b))/2, where c stands
    for (1 − e^(−(b − a)t))/(b − a), or t if the rates are equal: without cancellation where they are nearly equal.
    """
    a, b = 1 / np.maximum(threshold_scale, query_scale), 1 / np.minimum(threshold_scale, query_scale)
    t = np.abs(z)
    apart = (b - a) * t
    c = t * np.where(apart > 0, -np.expm1(-apart) / np.where(apart > 0, apart, 1.0), 1.0)
    upper = -a * t + np.log1p(a * c / (1 + b / a)) - np.log(2)
    result: Floats = np.where(z >= 0, upper, np.log1p(-np.exp(upper)))
    return result


def _exponential_log_survival(z: Floats, threshold_scale: Floats, query_scale: Floats) -> Floats:
    """ln P(Z ≥ z) for exponential noise: the difference of two exponential variables, with its mean taken off."""
    difference = z + query_scale - threshold_scale
    share = threshold_scale / (threshold_scale + query_scale)  # P(the difference is below 0)
    upper = np.log1p(-share) - difference / query_scale
    lower = np.log1p(-share * np.exp(np.minimum(difference, 0.0) / threshold_scale))
    result: Floats = np.where(difference >= 0, upper, lower)
    return result


_LOG_SURVIVALS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "laplace": _laplace_log_survival,
    "exponential": _exponential_log_survival,
}


def _log_survival(noise: object) -> Callable[[Floats, Floats, Floats], Floats]:
    if not isinstance(noise, str) or noise not in _LOG_SURVIVALS:
        raise InputError(f"noise must be 'laplace' or 'exponential', not {shown(noise)}")
    return _LOG_SURVIVALS[noise]


def gap_margin(
    confidence: object, *, threshold_scale: object, query_scale: object, noise: str = "laplace"
) -> Floats:
    """Compute the number t with P(Z ≤ t) = ``confidence``, where Z is the noise of a gap.

    ``threshold_scale`` and ``query_scale`` are the scales of the two noises as the mechanism draws them, in the unit of
    the answers, and so is t; arrays are broadcast. ``noise`` is "laplace", or "exponential" with its means taken off,
    as Algorithm 3 of the Journal paper does. P is over all noise, whether the gap comes out or not.

    Source: Lemma 7 of VLDB 2020, Lemma 3 of the Journal paper, for the other tail, which for Laplace noise is the same.
    Section 5.3 of the Journal paper speaks of scale 1/ε*, while its Algorithm 1 draws with 2/ε*: give the scale drawn.
    Raises InputError for scales not above 0, a confidence outside (0, 1), other noise, and shapes that do not fit.

    >>> print(np.round(gap_margin([0.5, 0.95], threshold_scale=2, query_scale=4), 3))
    [ 0.    10.284]
    """
    survival = _log_survival(noise)
    level = between_zero_and_one(confidence, "confidence", "0.95")
    level, threshold, query = fitting_together(
        {
            "confidence": level,
            "threshold_scale": above_zero(threshold_scale, "threshold_scale", "1 / (theta * eps)"),
            "query_scale": above_zero(query_scale, "query_scale", "2 * k / ((1 - theta) * eps)"),
        }
    )
    return last_at_least(lambda z: survival(z, threshold, query), np.log1p(-level), np.maximum(threshold, query))


def gap_lower_bound(
    gaps: object,
    *,
    threshold_scale: object,
    query_scale: object,
    confidence: object = 0.95,
    T: object = 0.0,
    noise: str = "laplace",
) -> Floats:
    """Bound answers from below by gap + T − t, with t from `gap_margin`, in the unit of the answers.

    ``gaps``, and the other arguments if they are arrays, are broadcast. For one query that is fixed beforehand, the
    bound holds with probability ``confidence`` over all noise. So a query gives a bound that is wrong with probability
    at most 1 − ``confidence``, and the expected number of wrong bounds in a run is at most that times the number of
    queries that were asked. *Given that a gap came out* the bound holds less often: `released_bound_coverage` says
    how much less, and `released_lower_bound` allows for it.

    Source: Section 6.2 of VLDB 2020, Section 5.3 of the Journal paper.
    Raises InputError as `gap_margin` does, and for gaps that are empty or not finite.

    >>> print(np.round(gap_lower_bound([3.0, 25.0], threshold_scale=2, query_scale=4, T=100), 3))
    [ 92.716 114.716]
    """
    margin = gap_margin(confidence, threshold_scale=threshold_scale, query_scale=query_scale, noise=noise)
    gap, level, margin = fitting_together(
        {"gaps": real_array(gaps, "gaps", "[3.0, 25.0]"), "T": real_array(T, "T", "100"), "the scales": margin}
    )
    result: Floats = gap + level - margin
    return result


def released_bound_coverage(
    distance: object,
    confidence: object = 0.95,
    *,
    threshold_scale: object,
    query_scale: object,
    noise: str = "laplace",
) -> Floats:
    """Compute the probability that `gap_lower_bound` holds, given that the gap came out.

    ``distance`` is T less the answer, in the unit of the answers. The probability is 1 − (1 − c)/P(Z ≥ distance) for
    the confidence c, or 0 if that is negative: c far above the threshold, 2c − 1 at the threshold under Laplace noise,
    and 0 if the answer lies further below the threshold than t. It is that of one query, without others before it.
    The distance is private: the function serves planning and study, not releases.

    Source: the audit's erratum E12 (docs/paper_audit.md); the papers take the probability to be c.
    Raises InputError as `gap_margin` does, and for distances that are empty or not finite.

    >>> print(np.round(released_bound_coverage([-100, 0, 5, 20], threshold_scale=2, query_scale=4), 3))
    [0.95  0.9   0.718 0.   ]
    """
    survival = _log_survival(noise)
    away, level, threshold, query = fitting_together(
        {
            "distance": real_array(distance, "distance", "T - q"),
            "confidence": between_zero_and_one(confidence, "confidence", "0.95"),
            "threshold_scale": above_zero(threshold_scale, "threshold_scale", "1 / (theta * eps)"),
            "query_scale": above_zero(query_scale, "query_scale", "2 * k / ((1 - theta) * eps)"),
        }
    )
    missed = np.log1p(-level) - survival(away, threshold, query)
    result: Floats = 1 - np.exp(np.minimum(missed, 0.0))
    return result


def released_lower_bound(
    gaps: object,
    *,
    threshold_scale: object,
    query_scale: object,
    confidence: object = 0.95,
    T: object = 0.0,
    least_gap: object = 0.0,
    noise: str = "laplace",
) -> Floats:
    """Bound an answer from below by the first gap of a run, with the stated confidence given that the gap came out.

    Each gap must be the *first* that came out of a run of sparse vector, in the order of the queries, after any number
    of queries below the threshold; ``gaps`` holds those of several runs. ``least_gap`` is the least gap that the branch
    releases: 0, or 2σ in the top branch of adaptive sparse vector. Arguments are broadcast, bounds are in the unit of
    the answers. A bound is −∞ if every answer, however small, would release such a gap often enough. The bound is not
    claimed for later gaps of a run: an earlier gap shows that the noisy threshold is low.

    With d = T − q, an answer at distance d releases a gap of at least g with conditional probability P(Z ≥ g + d)/P(Z ≥
    m + d), m the least gap. The ratio falls as d grows, because ln P(Z ≥ z) is concave. The bound is T − d for the d
    where the ratio is 1 − ``confidence``. Queries that stayed below make high noise of the threshold likelier, and for
    higher noise of the threshold a large gap is less likely; so they make the bound hold more often, not less.

    Source: derived here, since the papers' bound does not hold given the release (erratum E12 in docs/paper_audit.md).
    Raises InputError as `gap_lower_bound` does, and for gaps below ``least_gap``.

    >>> print(np.round(released_lower_bound([3.0, 13.0, 25.0], threshold_scale=2, query_scale=4, T=100), 3))
    [   -inf  99.692 114.646]
    """
    survival = _log_survival(noise)
    gap, threshold, query, level, limit, least = fitting_together(
        {
            "gaps": real_array(gaps, "gaps", "[3.0, 25.0]"),
            "threshold_scale": above_zero(threshold_scale, "threshold_scale", "1 / (theta * eps)"),
            "query_scale": above_zero(query_scale, "query_scale", "2 * k / ((1 - theta) * eps)"),
            "confidence": between_zero_and_one(confidence, "confidence", "0.95"),
            "T": real_array(T, "T", "100"),
            "least_gap": real_array(least_gap, "least_gap", "0"),
        }
    )
    if (gap < least).any():
        raise InputError(
            f"gaps must be at least least_gap; {gap[gap < least][0]:g} is below it: leave out the queries below the "
            "threshold, and write least_gap=0, or the branch's own least gap"
        )

    def log_ratio(distance: Floats) -> Floats:
        above = survival(gap + distance, threshold, query)
        return np.asarray(above - survival(least + distance, threshold, query))

    # Gaps are on the scale of the noise or above it: far below 0 both tails must be 1.
    unit = np.maximum(threshold, query)
    farthest = last_at_least(lambda z: log_ratio(z - gap), np.log1p(-level), unit)
    return limit - farthest + gap
