"""What the free gaps are good for: better estimates, confidence bounds, a test of the winner, and the budget.

Each function takes the outputs of mechanisms as numpy arrays or lists, with any number of leading axes (one row for
each run, say), and returns numpy arrays. What they compute needs no private data, so it costs no privacy. No function
draws noise, and no proof rests on this room. It imports nothing but ``errors``, ``arguments``, ``formatting`` and
``noise``. Start reading in ``best_linear_estimates``; ``real_arrays`` reads the arguments.
"""

from __future__ import annotations

from alignkit.utility.best_linear_estimates import (
    Combined,
    combine_measurements_and_gaps,
    combined_error_ratio,
    inverse_variance,
)
from alignkit.utility.gap_confidence import (
    gap_lower_bound,
    gap_margin,
    released_bound_coverage,
    released_lower_bound,
    winner_is_best,
    winner_lead_bound,
    winner_p_value,
)
from alignkit.utility.threshold_shares import best_theta, gap_variance, remaining_budget

__all__ = [
    "Combined",
    "best_theta",
    "combine_measurements_and_gaps",
    "combined_error_ratio",
    "gap_lower_bound",
    "gap_margin",
    "gap_variance",
    "inverse_variance",
    "released_bound_coverage",
    "released_lower_bound",
    "remaining_budget",
    "winner_is_best",
    "winner_lead_bound",
    "winner_p_value",
]
