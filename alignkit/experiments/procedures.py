"""What every procedure of an experiment is: a way to measure quantities, and what the theory says of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from alignkit.experiments.answers_given import Array
from alignkit.experiments.axis_points import AxisPoint
from alignkit.experiments.moments import Moments


@dataclass(frozen=True)
class Quantity:
    """A number that is measured: ``factor`` times a ratio of sums over runs, plus ``offset``."""

    factor: float = 1.0
    offset: float = 0.0

    def value(self, moments: Moments) -> float:
        """The measured value."""
        return self.offset + self.factor * moments.ratio

    def error(self, moments: Moments) -> float:
        """Its standard error."""
        return abs(self.factor) * moments.standard_error


MEAN = Quantity()
PERCENT = Quantity(100.0)
# Percent by which the first error is above the second, in percent of the first.
REDUCTION = Quantity(-100.0, 100.0)


@dataclass(frozen=True)
class Procedure(ABC):
    """One way of answering queries that an experiment measures; ``label`` is its name in figures and tables."""

    label: str

    quantities: ClassVar[Mapping[str, Quantity]]
    needs_runs: ClassVar[bool] = True

    @property
    @abstractmethod
    def mechanisms(self) -> tuple[str, ...]:
        """The mechanisms of the catalogue that it runs."""

    @abstractmethod
    def measure(self, setting: AxisPoint, counts: Array, runs: int, seeds: tuple[int, ...]) -> dict[str, Moments]:
        """Run on item counts, and return the moments of each quantity.

        The ``seeds`` are three independent numbers, which fix all randomness.
        """

    def theory(self, quantity: str, setting: AxisPoint) -> float | None:
        """What the theory says of a quantity, or None."""
        return None

    @property
    def described(self) -> dict[str, Any]:
        """The parameters, for the record of an experiment."""
        return {"label": self.label, "mechanisms": list(self.mechanisms)}


def seeds_for(seed: int, number: int) -> list[int]:
    """Independent seeds that follow from one.

    >>> len(set(seeds_for(1, 3))), seeds_for(1, 3) == seeds_for(1, 3)
    (3, True)
    """
    children = np.random.SeedSequence(seed).spawn(number)
    return [int.from_bytes(child.generate_state(4).tobytes(), "little") for child in children]
