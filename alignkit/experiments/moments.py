"""Sums over runs from which a measured quantity and its standard error follow, and which can be added."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from alignkit.experiments.answers_given import Array


@dataclass(frozen=True)
class Moments:
    """Sums over runs of a pair of numbers: the quantity is the sum of the ``part`` over the sum of the ``whole``.

    A mean over runs has a whole of 1 for each run that counts.
    """

    runs: float
    whole: float
    part: float
    whole_squared: float
    part_squared: float
    product: float

    @classmethod
    def of(cls, part: Array, whole: Array) -> Moments:
        """The sums for runs that have these parts and wholes."""
        sums = (whole, part, whole * whole, part * part, whole * part)
        return cls(float(len(part)), *(math.fsum(values.tolist()) for values in sums))

    @classmethod
    def of_mean(cls, values: Array) -> Moments:
        """The sums for the mean of those values that are not NaN.

        >>> Moments.of_mean(np.array([1.0, 3.0, np.nan])).ratio
        2.0
        """
        counts = ~np.isnan(values)
        return cls.of(np.where(counts, values, 0.0), counts.astype(float))

    @classmethod
    def total(cls, moments: Iterable[Moments]) -> Moments:
        """The sums for the runs of all these."""
        listed = list(moments)
        return cls(*(math.fsum(getattr(one, field.name) for one in listed) for field in fields(cls)))

    @property
    def ratio(self) -> float:
        """The sum of the parts over that of the wholes; NaN where these are 0."""
        return self.part / self.whole if self.whole else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of the ratio, by its linearisation; NaN for fewer than two runs.

        >>> round(Moments.of_mean(np.array([1.0, 3.0])).standard_error, 9)
        1.0
        """
        if self.runs < 2 or not self.whole:
            return math.nan
        ratio = self.ratio
        residuals = self.part_squared - 2 * ratio * self.product + ratio * ratio * self.whole_squared
        return math.sqrt(max(0.0, residuals) * self.runs / (self.runs - 1)) / abs(self.whole)
