"""How sparse vector best shares its budget between the threshold and the queries, and the variance of its gaps.

With the share θ of the budget ε, the threshold has noise of scale 1/(θε), and a query noise of scale m k/((1 − θ)ε):
m is 2 in the middle branch, which is the only one of plain sparse vector, and 4 in the top branch of adaptive sparse
vector; for monotone answers it is half of that.

Where a decreasing function on the reals comes down to a level, for many functions at once.

What a run that pays for its outputs leaves of its budget.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alignkit.arguments import shown, whole
from alignkit.errors import InputError
from alignkit.noise import DISCRETE_LAPLACE, EXPONENTIAL, GEOMETRIC, LAPLACE, Distribution
from alignkit.utility.real_arrays import (
    Floats,
    above_zero,
    at_least_zero,
    between_zero_and_one,
    counts_from_one,
    fitting_together,
    real_vectors,
)

# Costs are sums of floats: an excess within this share of the budget is rounding, and nothing is left.
_ROUNDING = 1e-9


def remaining_budget(costs: object, eps: object, threshold_cost: object, answers: int | None = None) -> Floats:
    """Compute what is left of ``eps`` after the threshold and the outputs have been paid for.

    ``costs`` has the shape (..., n): the cost of each output in its order, 0 for an output below the threshold, as
    adaptive sparse vector gives it beside the gap. ``threshold_cost`` is what the noise of the threshold costs: θ ε for
    sparse vector and for the hybrid that prioritises estimates, 0 for the hybrid that prioritises identity. ``eps`` and
    ``threshold_cost`` are numbers or arrays of the shape (...). With ``answers``, the run counts as stopped at the
    answer of this number (an answer is an output with a cost above 0), and later outputs must not be used. All costs
    are in units of ε, and so is the result, of the shape (...).

    The cost of a run is a bound for the outputs that it gave (ex-post privacy), and not a smaller ε of the mechanism.
    What is left may be spent on a later mechanism, because the bounds on the two densities multiply.

    Source: Section 9 of the VLDB Journal paper, "Remaining Privacy Budget"; Lemmas 7 and 8 for the hybrids.
    Raises InputError for costs that are below 0, empty, not finite, or more than the budget; for ``answers`` below 1.

    >>> outputs = [("TOP", 40.5, 0.1), ("BELOW", 0, 0), ("MIDDLE", 2.5, 0.2), ("TOP", 71.0, 0.1)]
    >>> print(np.round(remaining_budget([cost for *_, cost in outputs], eps=1.0, threshold_cost=0.2), 12))
    0.4
    >>> print(np.round(remaining_budget([cost for *_, cost in outputs], 1.0, 0.2, answers=2), 12))
    0.5
    """
    paid = at_least_zero(real_vectors(costs, "costs", "[0.1, 0, 0.2]"), "costs", "0 for an output below the threshold")
    if answers is not None:
        most = whole(answers, "answers", 1)
        paid = np.where(np.cumsum(paid > 0, axis=-1) <= most, paid, 0.0)
    budget = above_zero(eps, "eps", "0.7")
    threshold = at_least_zero(threshold_cost, "threshold_cost", "theta * eps")
    spent = paid.sum(axis=-1)
    spent, budget, threshold = fitting_together({"costs": spent, "eps": budget, "threshold_cost": threshold})
    left = budget - threshold - spent
    if (left < -_ROUNDING * budget).any():
        raise InputError(
            "costs and threshold_cost add up to more than eps; write the eps with which the mechanism ran, and each "
            "output's cost once"
        )
    return np.maximum(left, 0.0)


# Beyond so many units, differences of logarithms are mostly rounding.
_FARTHEST = 2.0**30
_HALVINGS = 64


def last_at_least(function: Callable[[Floats], Floats], level: Floats, unit: Floats) -> Floats:
    """The largest z with function(z) ≥ level, rounded up; infinite where it lies beyond 2³⁰ units.

    ``function`` takes and returns an array of the shape of ``unit``; it decreases, and far below 0 it is at least the
    level.

    >>> round(last_at_least(lambda z: -z, np.array(-2.0), np.array(1.0)).item(), 9)
    2.0
    """
    low, high = -unit, +unit
    while (short := (function(low) < level) & (low > -_FARTHEST * unit)).any():
        low = np.where(short, 2 * low, low)
    while (short := (function(high) >= level) & (high < _FARTHEST * unit)).any():
        high = np.where(short, 2 * high, high)
    unbounded = function(high) >= level
    for _ in range(_HALVINGS):
        middle = low + (high - low) / 2
        reached = function(middle) >= level
        low, high = np.where(reached, middle, low), np.where(reached, high, middle)
    return np.where(unbounded, np.inf, high)


_NOISES = {each.name: each for each in (LAPLACE, EXPONENTIAL, GEOMETRIC, DISCRETE_LAPLACE)}
_MULTIPLES = {("each", "middle"): 2, ("each", "top"): 4, ("monotone", "middle"): 1, ("monotone", "top"): 2}


def _distribution(noise: object) -> Distribution:
    if not isinstance(noise, str) or noise not in _NOISES:
        raise InputError(f"noise must be one of {', '.join(map(repr, _NOISES))}, not {shown(noise)}")
    return _NOISES[noise]


def _multiple(adjacency: object, branch: object) -> int:
    if adjacency not in ("each", "monotone"):
        raise InputError(f"adjacency must be 'each' or 'monotone', not {shown(adjacency)}")
    if branch not in ("middle", "top"):
        raise InputError(f"branch must be 'middle' or 'top', not {shown(branch)}")
    return _MULTIPLES[str(adjacency), str(branch)]


def gap_variance(
    k: object,
    eps: object,
    theta: object,
    noise: str = "laplace",
    adjacency: str = "each",
    branch: str = "middle",
    lattice: float = 1,
) -> Floats:
    """Compute the variance of a gap of sparse vector: that of the threshold's noise plus that of the query's.

    ``k`` is the number of answers, ``eps`` the budget of sparse vector alone, ``theta`` the share of it that is spent
    on the threshold; arrays are broadcast. ``noise`` is "laplace", "exponential", "geometric" or "discrete_laplace",
    the last two on multiples of ``lattice``. The result is in the square of the answers' unit. It is the variance over
    all noise; gaps that came out have another, and they are not centred either (erratum E12 in docs/paper_audit.md).

    Source: Sections 5.1 and 5.2 of the VLDB Journal paper; the variances are those of `alignkit.noise`.
    Raises InputError for k below 1 or not whole, eps or lattice not above 0, theta outside (0, 1), and other words.

    >>> print(np.round(gap_variance(10, eps=0.7, theta=0.5, adjacency="monotone"), 3))
    1648.98
    >>> print(np.round(gap_variance([1, 10], eps=0.35, theta=best_theta([1, 10]), adjacency="each"), 1))
    [ 282.8 9566.8]
    """
    distribution, multiple = _distribution(noise), _multiple(adjacency, branch)
    number, budget, share, step = fitting_together(
        {
            "k": counts_from_one(k, "k", "10"),
            "eps": above_zero(eps, "eps", "0.7"),
            "theta": between_zero_and_one(theta, "theta", "best_theta(k)"),
            "lattice": above_zero(lattice, "lattice", "1"),
        }
    )
    threshold, query = 1 / (share * budget), multiple * number / ((1 - share) * budget)
    if distribution.support.continuous:
        return np.asarray(distribution.variance(threshold) + distribution.variance(query))
    variance = np.vectorize(distribution.variance, otypes=[np.float64])
    return np.asarray(variance(threshold, step) + variance(query, step))


def best_theta(
    k: object,
    noise: str = "laplace",
    adjacency: str = "each",
    branch: str = "middle",
    eps: object = None,
    lattice: float = 1,
) -> Floats:
    """Compute the share θ of the budget for the threshold with which `gap_variance` is least.

    ``branch`` is the one from which most gaps are expected. For Laplace and exponential noise the result is 1/(1 + ∛c)
    with c = (m k)²: 4k² in general, k² for monotone answers, and in the top branch 16k² and 4k². So the threshold and
    the queries share the budget as 1 : (2k)^(2/3), or 1 : k^(2/3) if monotone; ``eps`` has no effect. For geometric and
    discrete Laplace noise this is the limit for small ε · ``lattice``, and the result without ``eps``. With the budget
    ``eps`` of sparse vector alone, the least variance on that lattice is computed by halving. Arrays are broadcast. The
    result lies between 0 and 1. The choice of θ does not depend on data, and privacy holds for every θ.

    Source: Sections 5.1 and 5.2 of the VLDB Journal paper; Section 6.2 of VLDB 2020 for 1 : (2k)^(2/3), after Lyu, Su
    and Li (PVLDB 2017).
    Raises InputError for k below 1 or not whole, eps or lattice not above 0, and other words.

    >>> print(np.round(best_theta([1, 2, 25]), 4))
    [0.3865 0.2841 0.0686]
    >>> print(np.round(best_theta(4, noise="geometric", adjacency="monotone", eps=[0.01, 5]), 4))
    [0.2841 0.2833]
    """
    distribution, multiple = _distribution(noise), _multiple(adjacency, branch)
    number = multiple * counts_from_one(k, "k", "10")
    limit: Floats = 1 / (1 + np.cbrt(number**2))
    step = above_zero(lattice, "lattice", "1")
    if eps is None:
        return fitting_together({"k": limit, "lattice": step})[0]
    budget = above_zero(eps, "eps", "0.7")
    limit, number, budget, step = fitting_together({"k": limit, "multiple": number, "eps": budget, "lattice": step})
    return limit if distribution.support.continuous else _best_on_a_lattice(number, budget * step)


def _best_on_a_lattice(number: Floats, steps: Floats) -> Floats:
    """Where the slope of 1/sinh²(θs/2) + 1/sinh²((1 − θ)s/(2n)) is 0, for s the budget times the lattice.

    The variance of geometric noise is a quarter of the square of the lattice over sinh²(lattice/(2 scale)); that of
    discrete Laplace noise is twice as large. Both summands are convex.
    """
    threshold, query = steps / 2, steps / (2 * number)

    def log_slope(x: Floats) -> Floats:
        """ln(cosh x/sinh³ x), less ln 4, which decreases."""
        decay = np.exp(-2 * x)
        return np.asarray(np.log1p(decay) - 3 * np.log(-np.expm1(-2 * x)) - 2 * x)

    def descent(logit: Floats) -> Floats:
        """How much faster the first summand falls than the second one rises, at θ = 1/(1 + e^(−logit))."""
        share, rest = 1 / (1 + np.exp(-logit)), 1 / (1 + np.exp(logit))
        first = np.log(threshold) + log_slope(share * threshold)
        return np.asarray(first - np.log(query) - log_slope(rest * query))

    zero = np.zeros_like(threshold)
    return np.asarray(1 / (1 + np.exp(-last_at_least(descent, zero, zero + 1))))
