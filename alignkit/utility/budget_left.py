"""What a run that pays for its outputs leaves of its budget."""

from __future__ import annotations

import numpy as np

from alignkit.arguments import whole
from alignkit.errors import InputError
from alignkit.utility.real_arrays import Floats, above_zero, at_least_zero, fitting_together, real_vectors

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
