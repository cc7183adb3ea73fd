"""What becomes of gaps and measurements: the one place where experiments call ``utility`` on outputs."""

from __future__ import annotations

import numpy as np

from alignkit.experiments.answers_given import Array
from alignkit.utility import combine_measurements_and_gaps, inverse_variance


def combined_by_variance(first: Array, second: Array, variances: tuple[float, float]) -> Array:
    """Combine two estimates of each answer, weighted by the inverses of their variances.

    >>> combined_by_variance(np.array([640.0]), np.array([650.0]), (1.0, 4.0)).tolist()
    [642.0]
    """
    if not len(first):
        return first
    return inverse_variance(np.stack([first, second], axis=-1), variances).value


def combined_with_gaps(measurements: Array, gaps: Array, variance_ratio: float) -> Array:
    """Combine measurements with the gaps of the same answers, both of shape (runs, k).

    >>> combined_with_gaps(np.array([[10.0, 7.0]]), np.array([[1.0, 9.0]]), 1).tolist()
    [[9.5, 7.5]]
    """
    return combine_measurements_and_gaps(measurements, gaps, variance_ratio)
