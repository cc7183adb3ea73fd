"""What becomes of gaps and measurements: the one place where experiments call ``utility``."""

from __future__ import annotations

import numpy as np

from alignkit.experiments.answers_given import Array


def combined_by_variance(first: Array, second: Array, variances: tuple[float, float]) -> Array:
    """Combine two estimates of the same answers, weighted by the inverses of their variances."""
    one, other = (1 / variance for variance in variances)
    result: Array = (first * one + second * other) / (one + other)
    return result


def combined_with_gaps(measurements: Array, gaps: Array, variance_ratio: float) -> Array:
    """Combine measurements, of shape (runs, k), with the gaps between neighbours, of shape (runs, k − 1)."""
    prefixes = np.concatenate([np.zeros((len(gaps), 1)), np.cumsum(gaps, axis=1)], axis=1)
    from_gaps = prefixes.mean(axis=1, keepdims=True) - prefixes
    from_all = measurements.mean(axis=1, keepdims=True) + from_gaps
    result: Array = (from_all + variance_ratio * measurements) / (1 + variance_ratio)
    return result
