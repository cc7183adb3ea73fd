"""How much smaller the squared error of measurements becomes when the gaps of the selection are used as well."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from alignkit.experiments.answers_given import Array, catalogue_mechanism, draw_noise, draw_runs
from alignkit.experiments.axis_points import AxisPoint, ThresholdRule, threshold_share, thresholds
from alignkit.experiments.estimates import combined_by_variance, combined_with_gaps
from alignkit.experiments.moments import Moments
from alignkit.experiments.procedures import REDUCTION, Procedure, Quantity, seeds_for
from alignkit.utility import combined_error_ratio, gap_variance

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
