"""The best linear unbiased estimate of the top k answers, from their measurements and the gaps between them.

Independent estimates of one number, combined with weights that are the inverses of their variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from alignkit.errors import InputError
from alignkit.formatting import counted
from alignkit.utility.real_arrays import Floats, above_zero, counts_from_one, fitting_together, real_vectors


class Combined(NamedTuple):
    """A combined estimate and its variance, in the unit of the estimates and in its square.

    >>> inverse_variance([1.0, 2.0], [1.0, 1.0]).variance.item()
    0.5
    """

    value: Floats
    variance: Floats


def inverse_variance(estimates: object, variances: object) -> Combined:
    """Combine independent estimates of the same number, which stand in the last axis.

    ``estimates`` has the shape (..., m), and ``variances`` a shape that numpy broadcasts to it, such as (m,). Both
    results have the shape (...). For the sparse vector technique, m is 2: a fresh measurement of an answer that came
    out, and its gap plus the threshold, with the variance that `gap_variance` gives.

    If each estimate is unbiased, so is the result, and no other weights that add up to 1 give a smaller variance. A gap
    that came out is not unbiased: only noise that is large enough releases it. The result is then biased by the weight
    of the gap times the gap's bias. `released_lower_bound` has a bound that allows for this.

    Source: Section 5.3 of the VLDB Journal paper, Section 6.2 of VLDB 2020.
    Raises InputError for arrays that are empty or not finite, for shapes that do not fit, for variances not above 0.

    >>> value, variance = inverse_variance([[640.0, 650.0], [15.0, 25.0]], [1.0, 4.0])
    >>> value.tolist(), variance.tolist()
    ([642.0, 17.0], [0.8, 0.8])
    """
    read = real_vectors(estimates, "estimates", "[640.0, 650.0]")
    spread = above_zero(variances, "variances", "[1.0, 4.0]")
    read, spread = fitting_together({"estimates": read, "variances": spread})
    # Relative to the smallest variance, no weight overflows.
    least = spread.min(axis=-1, keepdims=True)
    weights = least / spread
    total = weights.sum(axis=-1)
    return Combined((weights * read).sum(axis=-1) / total, least[..., 0] / total)


def combine_measurements_and_gaps(measurements: object, gaps: object, variance_ratio: object) -> Floats:
    """Combine measurements of the selected answers with the gaps between them, in O(k) steps for each run.

    ``measurements`` has the shape (..., k): answer i plus noise of mean 0 and variance V. ``gaps`` has the shape
    (..., k − 1): answer i minus answer i + 1, plus the difference of their two selection noises, each of variance λV.
    ``variance_ratio`` is λ, a number or an array of the shape (...). All noises are independent, and estimates and
    answers have one unit. Noisy Top-K releases a k-th gap, to the best answer that was not selected. This answer is
    not measured, so that its gap says nothing on the others: ``gaps`` may have k columns, and the last one is left out.

    The estimates add up to the sum of the measurements. For indices that are fixed before the noise is drawn, they are
    unbiased, and no linear unbiased estimate has a smaller variance: see `combined_error_ratio`. Gaps that come out of
    a selection are not such gaps, because the same noise selects the indices; the first estimate is then too large on
    average and the last one too small. The sum stays unbiased, and so do the measurements, whose noise is fresh.

    Source: Theorem 4 of the VLDB Journal paper (steps 1 to 3 after it); Theorem 3 of VLDB 2020 has λ = 4.
    Raises InputError for arrays that are empty, of wrong lengths or not finite, and for λ not above 0.

    >>> combine_measurements_and_gaps([10.0, 7.0], [1.0], variance_ratio=1).tolist()
    [9.5, 7.5]
    >>> top_k = [(0, 21.0), (3, 150.0)]  # what `noisy_top_k_with_gap` gives for k = 2
    >>> combine_measurements_and_gaps([810.0, 785.0], [gap for _, gap in top_k], variance_ratio=1).tolist()
    [809.0, 786.0]
    """
    alpha = real_vectors(measurements, "measurements", "[810.0, 785.0]")
    k = alpha.shape[-1]
    between = _gaps_between(gaps, k)
    ratio = above_zero(variance_ratio, "variance_ratio", "4")
    runs = fitting_together({"measurements": alpha[..., 0], "gaps": between.sum(axis=-1), "variance_ratio": ratio})
    ratio = runs[2][..., np.newaxis]
    prefixes = np.concatenate([np.zeros((*between.shape[:-1], 1)), np.cumsum(between, axis=-1)], axis=-1)
    # p of the paper, the sum of (k − i) g_i, is the sum of all prefixes.
    from_gaps = prefixes.mean(axis=-1, keepdims=True) - prefixes
    from_all = alpha.mean(axis=-1, keepdims=True) + from_gaps
    result: Floats = (from_all + ratio * alpha) / (1 + ratio)
    return result


def _gaps_between(gaps: object, k: int) -> Floats:
    """The k − 1 gaps between measured answers. For k = 1 there are none, and an empty list will do."""
    if k == 1 and isinstance(gaps, list | tuple | np.ndarray) and np.shape(gaps)[-1:] == (0,):
        return np.zeros(np.shape(gaps))
    read = real_vectors(gaps, "gaps", "[25.0]")
    if read.shape[-1] not in (k - 1, k):
        wanted = "1 measurement needs 1 gap, or none"
        if k > 1:
            wanted = f"{k} measurements need {counted(k - 1, 'gap')}, or {k} with the gap to the best of the others"
        raise InputError(f"{wanted}; gaps has {read.shape[-1]} in its last axis")
    return read[..., : k - 1]


def combined_error_ratio(k: object, variance_ratio: object) -> Floats:
    """Compute (1 + λk)/(k + λk): the variance of each combined estimate over that of its measurement.

    ``k`` is the number of selected answers, ``variance_ratio`` is λ, the variance of an answer's selection noise over
    that of its measurement; arrays are broadcast. The ratio has no unit. It is exact for indices that are fixed before
    the noise is drawn. For selected answers the mean squared error may be another, as the estimates are then biased.

    Source: Corollary 1 of the VLDB Journal paper; of VLDB 2020 for λ = 4.
    Raises InputError for k below 1 or not whole, and for λ not above 0.

    >>> print(combined_error_ratio([1, 2, 10], variance_ratio=1))
    [1.   0.75 0.55]
    """
    number = counts_from_one(k, "k", "10")
    ratio = above_zero(variance_ratio, "variance_ratio", "4")
    number, ratio = fitting_together({"k": number, "variance_ratio": ratio})
    result: Floats = (1 + ratio * number) / (number + ratio * number)
    return result
