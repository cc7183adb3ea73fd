"""The share of the budget for the threshold with which geometric gaps have the least variance; computed, not run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from alignkit.experiments.answers_given import Array
from alignkit.experiments.axis_points import AxisPoint
from alignkit.experiments.moments import Moments
from alignkit.experiments.procedures import MEAN, Procedure, Quantity
from alignkit.utility import best_theta

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
