"""How many answers sparse vector gives, how many of them are right, and what is left of the budget."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from alignkit.experiments.answers_given import AnswersGiven, Array, catalogue_mechanism, draw_runs
from alignkit.experiments.axis_points import AxisPoint, ThresholdRule, threshold_share, thresholds
from alignkit.experiments.moments import Moments
from alignkit.experiments.procedures import MEAN, PERCENT, Procedure, Quantity, seeds_for
from alignkit.utility import remaining_budget

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
