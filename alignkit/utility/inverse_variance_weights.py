"""Independent estimates of one number, combined with weights that are the inverses of their variances."""

from __future__ import annotations

from typing import NamedTuple

from alignkit.utility.real_arrays import Floats, above_zero, fitting_together, real_vectors


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
