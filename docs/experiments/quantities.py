"""What the figures show of runs: squared errors with and without gaps, numbers of answers, and shares of a budget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from measuring import (
    MEAN,
    PERCENT,
    REDUCTION,
    AnswersGiven,
    Array,
    AxisPoint,
    Moments,
    Procedure,
    Quantity,
    ThresholdRule,
    catalogue_mechanism,
    draw_noise,
    draw_runs,
    seeds_for,
    threshold_share,
    thresholds,
)

from alignkit.utility import (
    best_theta,
    combine_measurements_and_gaps,
    combined_error_ratio,
    gap_variance,
    inverse_variance,
    remaining_budget,
)


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


MEASURING = "laplace_mechanism"
"""Measures the selected answers."""

_QUANTITY = "reduction of squared error (%)"


def _measurement_noise(setting: AxisPoint, runs: int, seed: int) -> Array:
    """The noise of k measurements that share half of the budget, in an array of shape (runs, k)."""
    return draw_noise(catalogue_mechanism(MEASURING), runs, setting.k, seed, delta=setting.k, eps=setting.eps / 2)


def _measurement_variance(setting: AxisPoint) -> float:
    return 2 * float(2 * setting.k / setting.eps) ** 2


@dataclass(frozen=True)
class SparseVectorWithMeasures(Procedure):
    """SVT with Gap on half of the budget, then a measurement of each answer; both combined by their variances.

    Attributes
    ----------
    mechanism
        An SVT with Gap that takes q, T, k, eps and theta.
    noise
        Its noise, as `alignkit.utility.gap_variance` names it.
    monotone
        Whether the mechanism is that for counting queries.
    threshold
        How a run's threshold is chosen.
    """

    mechanism: str
    noise: str
    monotone: bool
    threshold: ThresholdRule

    quantities: ClassVar[Mapping[str, Quantity]] = {_QUANTITY: REDUCTION}

    @property
    def mechanisms(self) -> tuple[str, ...]:
        return self.mechanism, MEASURING

    @property
    def described(self) -> dict[str, Any]:
        return {**super().described, "noise": self.noise, "threshold": self.threshold.value}

    def measure(self, setting: AxisPoint, counts: Array, runs: int, seeds: tuple[int, ...]) -> dict[str, Moments]:
        of_ranks, of_runs, of_measurements = seeds
        chosen = thresholds(self.threshold, setting.k, counts, runs, of_ranks)
        noise = _measurement_noise(setting, runs, of_measurements)
        with_gaps, without = np.zeros(runs), np.zeros(runs)
        variances = (_measurement_variance(setting), self._gap_variance(setting))
        answers = counts.tolist()
        for (threshold, members), seed in zip(chosen.items(), seeds_for(of_runs, len(chosen)), strict=True):
            drawn = draw_runs(
                catalogue_mechanism(self.mechanism),
                len(members),
                seed,
                q=answers,
                T=threshold,
                k=setting.k,
                eps=setting.eps / 2,
                theta=threshold_share(setting.k, monotone=self.monotone),
            )
            true = counts[drawn.query]
            measured = true + noise[members[drawn.run], drawn.rank]
            seen = drawn.gap + float(threshold) - self._mean_of_gap_noise(setting)
            best = combined_by_variance(measured, seen, variances)
            with_gaps[members] = np.bincount(drawn.run, (best - true) ** 2, minlength=len(members))
            without[members] = np.bincount(drawn.run, (measured - true) ** 2, minlength=len(members))
        return {_QUANTITY: Moments.of(with_gaps, without)}

    def theory(self, quantity: str, setting: AxisPoint) -> float | None:
        measured, seen = _measurement_variance(setting), self._gap_variance(setting)
        return 100 * measured / (measured + seen)

    def _gap_variance(self, setting: AxisPoint) -> float:
        share = float(threshold_share(setting.k, monotone=self.monotone))
        adjacency = "monotone" if self.monotone else "each"
        return float(gap_variance(setting.k, float(setting.eps / 2), share, self.noise, adjacency))

    def _mean_of_gap_noise(self, setting: AxisPoint) -> float:
        """The mean of a gap's noise: 0, except where the paper's b1 is 1/ε and not the mean 1/ε1 of the noise."""
        if self.mechanism != "sparse_vector_with_gap_exponential_monotone":
            return 0.0
        eps = setting.eps / 2
        eps1 = (1 - threshold_share(setting.k, monotone=True)) * eps / setting.k
        return float(1 / eps1 - 1 / eps)


@dataclass(frozen=True)
class TopKWithMeasures(Procedure):
    """Noisy Top-K with Gap on half of the budget, then a measurement of each answer; both combined linearly.

    Attributes
    ----------
    mechanism
        A Noisy Top-K with Gap that takes q, k and eps.
    variance_ratio
        λ, the variance of the selection's noise over that of the measurements.
    monotone
        Whether the answers are monotone: the mechanism then costs half of its parameter eps.
    """

    mechanism: str
    variance_ratio: Fraction
    monotone: bool

    quantities: ClassVar[Mapping[str, Quantity]] = {_QUANTITY: REDUCTION}

    @property
    def mechanisms(self) -> tuple[str, ...]:
        return self.mechanism, MEASURING

    @property
    def described(self) -> dict[str, Any]:
        return {**super().described, "lambda": str(self.variance_ratio)}

    def measure(self, setting: AxisPoint, counts: Array, runs: int, seeds: tuple[int, ...]) -> dict[str, Moments]:
        _, of_runs, of_measurements = seeds
        eps = setting.eps if self.monotone else setting.eps / 2
        drawn = draw_runs(catalogue_mechanism(self.mechanism), runs, of_runs, q=counts.tolist(), k=setting.k, eps=eps)
        true = counts[drawn.query].reshape(runs, setting.k)
        measured = true + _measurement_noise(setting, runs, of_measurements)
        best = combined_with_gaps(measured, drawn.gap.reshape(runs, setting.k), float(self.variance_ratio))
        sums = (((estimate - true) ** 2).sum(axis=1) for estimate in (best, measured))
        return {_QUANTITY: Moments.of(*sums)}

    def theory(self, quantity: str, setting: AxisPoint) -> float | None:
        return 100 * (1 - float(combined_error_ratio(setting.k, float(self.variance_ratio))))


ANSWERS, TOP_ANSWERS, MIDDLE_ANSWERS = "answers", "answers of the top branch", "answers of the middle branch"
PRECISION, F_MEASURE, FALSE_POSITIVES = "precision", "F-measure", "false positives"
REMAINING = "budget left after k answers (%)"


@dataclass(frozen=True)
class AnswersAboveThreshold(Procedure):
    """Sparse vector on the whole budget.

    Attributes
    ----------
    mechanism
        A sparse vector that takes q, T, k, eps and theta.
    adaptive
        Whether its outputs say by a tag from which branch they come, and what they cost.
    monotone
        Whether the share of the budget for the threshold is that for counting queries.
    threshold
        How a run's threshold is chosen.
    """

    mechanism: str
    adaptive: bool
    monotone: bool
    threshold: ThresholdRule

    quantities: ClassVar[Mapping[str, Quantity]] = {
        ANSWERS: MEAN,
        TOP_ANSWERS: MEAN,
        MIDDLE_ANSWERS: MEAN,
        PRECISION: MEAN,
        F_MEASURE: MEAN,
        FALSE_POSITIVES: MEAN,
        REMAINING: PERCENT,
    }

    @property
    def mechanisms(self) -> tuple[str, ...]:
        return (self.mechanism,)

    @property
    def described(self) -> dict[str, Any]:
        return {**super().described, "threshold": self.threshold.value}

    def measure(self, setting: AxisPoint, counts: Array, runs: int, seeds: tuple[int, ...]) -> dict[str, Moments]:
        of_ranks, of_runs, _ = seeds
        chosen = thresholds(self.threshold, setting.k, counts, runs, of_ranks)
        measured: dict[str, Array] = {name: np.full(runs, math.nan) for name in self.quantities}
        answers = counts.tolist()
        for (threshold, members), seed in zip(chosen.items(), seeds_for(of_runs, len(chosen)), strict=True):
            drawn = draw_runs(
                catalogue_mechanism(self.mechanism),
                len(members),
                seed,
                q=answers,
                T=threshold,
                k=setting.k,
                eps=setting.eps,
                theta=threshold_share(setting.k, monotone=self.monotone),
            )
            for name, values in self._of_runs(drawn, counts >= float(threshold), setting).items():
                measured[name][members] = values
        return {name: Moments.of_mean(values) for name, values in measured.items()}

    def theory(self, quantity: str, setting: AxisPoint) -> float | None:
        """The most answers that the budget allows, and the most that k answers leave of it: upper bounds."""
        if quantity == ANSWERS:
            return 2 * setting.k - 1 if self.adaptive else setting.k
        if quantity == REMAINING:
            return 50 * (1 - float(threshold_share(setting.k, monotone=self.monotone))) if self.adaptive else 0.0
        return None

    def _of_runs(self, drawn: AnswersGiven, above: Array, setting: AxisPoint) -> dict[str, Array]:
        every = np.ones(len(drawn.run), dtype=bool)
        right = drawn.per_run(above[drawn.query]).astype(float)
        given = drawn.per_run(every).astype(float)
        values = {
            ANSWERS: given,
            FALSE_POSITIVES: given - right,
            # Without an answer there is no precision; the F-measure, 2 right / (given + relevant), is then 0.
            PRECISION: np.divide(right, given, out=np.full(drawn.runs, math.nan), where=given > 0),
            F_MEASURE: 2 * right / (given + above.sum()),
        }
        if self.adaptive:
            values[TOP_ANSWERS] = drawn.per_run(drawn.tag == "TOP")
            values[MIDDLE_ANSWERS] = drawn.per_run(drawn.tag == "MIDDLE")
            values[REMAINING] = self._left(drawn, setting)
        return values

    def _left(self, drawn: AnswersGiven, setting: AxisPoint) -> Array:
        """The share of the budget that the first k answers leave; NaN for a run with fewer answers."""
        costs = drawn.table(drawn.cost, setting.k)
        full = ~np.isnan(costs).any(axis=1)
        left = np.full(drawn.runs, math.nan)
        if full.any():
            eps = float(setting.eps)
            threshold = eps * float(threshold_share(setting.k, monotone=self.monotone))
            left[full] = remaining_budget(costs[full], eps, threshold) / eps
        return left


SHARE = "best share of the budget for the threshold"


@dataclass(frozen=True)
class BestShareForGeometricNoise(Procedure):
    """The θ with which a gap with geometric noise has the least variance, for counting queries; no mechanism runs."""

    quantities: ClassVar[Mapping[str, Quantity]] = {SHARE: MEAN}
    needs_runs: ClassVar[bool] = False

    @property
    def mechanisms(self) -> tuple[str, ...]:
        return ()

    def measure(self, setting: AxisPoint, counts: Array, runs: int, seeds: tuple[int, ...]) -> dict[str, Moments]:
        best = best_theta(setting.k, noise="geometric", adjacency="monotone", eps=float(setting.eps))
        return {SHARE: Moments.of_mean(np.atleast_1d(best))}

    def theory(self, quantity: str, setting: AxisPoint) -> float | None:
        """The best share for exponential noise."""
        share: float = 1 / (1 + setting.k ** (2 / 3))
        return share
