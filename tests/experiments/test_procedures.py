"""What procedures measure, on counts whose answers are known in advance, agrees with the papers' formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from figure_plans import EXPERIMENTS
from measuring import AxisPoint, Moments, Procedure, ThresholdRule, threshold_share, thresholds
from quantities import (
    ANSWERS,
    F_MEASURE,
    FALSE_POSITIVES,
    MIDDLE_ANSWERS,
    PRECISION,
    REMAINING,
    SHARE,
    TOP_ANSWERS,
)

# Far apart: whatever the noise, the largest are selected.
COUNTS = np.arange(30, 0, -1) * 100_000
POINT = AxisPoint(3, Fraction(7, 10))
REDUCTION = "reduction of squared error (%)"


def procedure(experiment: str, label: str) -> Procedure:
    (found,) = [each for each in EXPERIMENTS[experiment].procedures if each.label == label]
    return found


def measured(each: Procedure, runs: int, point: AxisPoint = POINT) -> dict[str, Moments]:
    return each.measure(point, COUNTS, runs, (1, 2, 3))


WITH_MEASURES = [
    (name, each.label)
    for name in ("2020-figure-1", "journal-figure-2")
    for each in EXPERIMENTS[name].procedures
]


@pytest.mark.parametrize(("experiment", "label"), WITH_MEASURES)
def test_the_reduction_is_near_its_theory(experiment: str, label: str) -> None:
    """Fixed indices: the formulas hold exactly. Six standard errors, an error rate below 1e-6 with the seed fixed."""
    each = procedure(experiment, label)
    (quantity,) = each.quantities.values()
    moments = measured(each, 400)[REDUCTION]
    theory = each.theory(REDUCTION, POINT)
    assert theory is not None
    assert abs(quantity.value(moments) - theory) < 6 * quantity.error(moments)
    assert 0 < quantity.error(moments) < 6


def test_gaps_to_answers_that_noise_selects_make_estimates_worse() -> None:
    """Of 20 selected counts 10 are 0: the largest noise of 5000 shortens the gap to them, whatever the formula says."""
    each = procedure("2020-figure-1", "Noisy Top-K with Gap with Measures")
    counts = np.array([3000] * 10 + [0] * 5000)
    moments = each.measure(AxisPoint(20, Fraction(7, 10)), counts, 300, (1, 2, 3))[REDUCTION]
    (quantity,) = each.quantities.values()
    assert quantity.value(moments) + 6 * quantity.error(moments) < 0


@pytest.mark.parametrize("k", [2, 10, 25])
def test_the_theory_is_that_of_the_papers(k: int) -> None:
    point = AxisPoint(k, Fraction(7, 10))

    def theory(experiment: str, label: str) -> float:
        value = procedure(experiment, label).theory(REDUCTION, point)
        assert value is not None
        return value / 100

    assert theory("2020-figure-1", "Noisy Top-K with Gap with Measures") == pytest.approx(1 - (4 * k + 1) / (5 * k))
    cubed = (1 + (4 * k * k) ** (1 / 3)) ** 3
    expected = 1 - cubed / (cubed + k * k)
    assert theory("2020-figure-1", "SVT with Gap with Measures") == pytest.approx(expected, rel=1e-5)
    # The journal: k - 1 over 2k for Laplace noise and over 3/2 k for exponential noise.
    assert theory("journal-figure-2", "Noisy Top-K with Gap, Laplace noise") == pytest.approx((k - 1) / (2 * k))
    assert theory("journal-figure-2", "Noisy Top-K with Gap, exponential noise") == pytest.approx((k - 1) / (1.5 * k))
    cubed = (1 + k ** (2 / 3)) ** 3
    for label, weight in (("Laplace", 1), ("exponential", 2), ("geometric", 2)):
        expected = weight * k * k / (cubed + weight * k * k)
        assert theory("journal-figure-2", f"SVT with Gap, {label} noise") == pytest.approx(expected, rel=1e-3)


def test_answers_far_above_the_threshold_cost_half() -> None:
    """Of 30 counts that are far apart, the threshold is at the rank 6 to 24: adaptive sparse vector gives 2k − 1."""
    both = [procedure("journal-figure-4", label) for label in ("SVT", "Adaptive SVT with Gap")]
    plain, adaptive = (measured(each, 50) for each in both)
    assert plain[ANSWERS].ratio == 3
    assert plain[REMAINING].whole == 0
    # The count that is the threshold itself may come out or not, from either branch.
    assert 4.5 < adaptive[ANSWERS].ratio <= 5
    assert adaptive[TOP_ANSWERS].ratio + adaptive[MIDDLE_ANSWERS].ratio == pytest.approx(adaptive[ANSWERS].ratio)
    assert plain[PRECISION].ratio == adaptive[PRECISION].ratio == 1
    assert plain[FALSE_POSITIVES].ratio == adaptive[FALSE_POSITIVES].ratio == 0
    assert adaptive[F_MEASURE].ratio > 1.3 * plain[F_MEASURE].ratio
    bound = both[1].theory(REMAINING, POINT)
    assert bound is not None
    assert 100 * adaptive[REMAINING].ratio == pytest.approx(bound, abs=1)


def test_a_run_with_fewer_than_k_answers_has_no_rest_after_k() -> None:
    """Of 41 counts two are above the quantile, 1000, and one is equal to it."""
    counts = np.array([0] * 38 + [1000, 10**6, 10**6])
    each = procedure("2020-figure-3", "Adaptive SVT with Gap")
    moments = each.measure(AxisPoint(5, Fraction(100)), counts, 20, (1, 2, 3))
    assert 2 < moments[ANSWERS].ratio < 3
    assert moments[PRECISION].ratio == 1
    assert moments[F_MEASURE].ratio == pytest.approx(1, abs=0.2)
    assert moments[REMAINING].whole == 0


def test_the_best_share_for_geometric_noise() -> None:
    each = procedure("journal-figure-1", "geometric noise")
    for k in (1, 10, 50):
        point = AxisPoint(k, Fraction(7, 10))
        share = each.measure(point, COUNTS, 1, (1, 2, 3))[SHARE].ratio
        grid = np.linspace(0.001, 0.999, 9981)
        first, second = np.exp(grid * 0.7), np.exp((1 - grid) * 0.7 / k)
        variance = first / (first - 1) ** 2 + second / (second - 1) ** 2
        assert share == pytest.approx(grid[variance.argmin()], abs=2e-4)
        assert each.theory(SHARE, point) == pytest.approx(share, abs=0.003)


def test_thresholds_at_a_rank_are_counts_and_anew_for_each_run() -> None:
    chosen = thresholds(ThresholdRule.RANK, 3, COUNTS, 500, seed=1)
    ranks = {30 - int(threshold) // 100_000 + 1 for threshold in chosen}
    assert ranks == set(range(6, 25))
    assert sorted(np.concatenate(list(chosen.values())).tolist()) == list(range(500))


def test_the_quantile_is_one_threshold_for_all_runs() -> None:
    ((threshold, members),) = thresholds(ThresholdRule.QUANTILE, 3, np.arange(101), 7, seed=1).items()
    assert (threshold, len(members)) == (95, 7)


@pytest.mark.parametrize("monotone", [True, False])
def test_the_share_of_the_threshold(monotone: bool) -> None:
    for k in (1, 5, 24):
        number = k if monotone else 2 * k
        share = threshold_share(k, monotone=monotone)
        assert float((1 - share) / share) == pytest.approx(number ** (2 / 3), rel=1e-4)


def test_the_moments_of_parts_add_up() -> None:
    rng = np.random.default_rng(1)
    part, whole = rng.random(50), 1 + rng.random(50)
    together = Moments.total([Moments.of(part[:20], whole[:20]), Moments.of(part[20:], whole[20:])])
    assert together.ratio == pytest.approx(part.sum() / whole.sum())
    residuals = part - together.ratio * whole
    assert together.standard_error == pytest.approx(residuals.std(ddof=1) / whole.mean() / math.sqrt(50), rel=1e-9)


def test_one_run_has_no_standard_error() -> None:
    assert math.isnan(Moments.of_mean(np.array([2.0])).standard_error)
    assert math.isnan(Moments.of_mean(np.array([math.nan])).ratio)
