"""What one point of a figure is measured at: k, the budget, and how thresholds and shares of the budget follow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np

from alignkit.experiments.answers_given import Array

# Shares of the budget are roots: this close, so that budgets stay fractions with few digits.
_DENOMINATOR = 10**6


class ThresholdRule(Enum):
    """How a run's public threshold is chosen from the data."""

    QUANTILE = "the 95 % quantile of the counts"
    RANK = "the count at a rank drawn from 2k to 8k, anew for each run"


@dataclass(frozen=True)
class AxisPoint:
    """One point on the x-axis: k and the whole budget of a run."""

    k: int
    eps: Fraction


def threshold_share(k: int, *, monotone: bool) -> Fraction:
    """The share of sparse vector's budget that its threshold gets: 1 : k^(2/3), or 1 : (2k)^(2/3) where not monotone.

    Source: Section 9.2 of the VLDB Journal paper, and Section 7.2 of VLDB 2020.

    >>> float(threshold_share(8, monotone=True))
    0.2
    """
    queries = (k if monotone else 2 * k) ** (2 / 3)
    return Fraction(1 / (1 + queries)).limit_denominator(_DENOMINATOR)


def thresholds(rule: ThresholdRule, k: int, counts: Array, runs: int, seed: int) -> dict[Fraction, Array]:
    """The thresholds of the runs, and which runs have each.

    Where the data has fewer than 8k items, the last ranks stand for the smallest count.

    >>> rule = ThresholdRule.RANK
    >>> chosen = thresholds(rule, 1, np.array([5, 9, 7, 1]), 100, seed=1)
    >>> sorted(int(threshold) for threshold in chosen), sum(map(len, chosen.values()))
    ([1, 5, 7], 100)
    """
    if rule is ThresholdRule.QUANTILE:
        return {Fraction(float(np.quantile(counts, 0.95))): np.arange(runs)}
    ranks = np.random.default_rng(seed).integers(2 * k, 8 * k, size=runs, endpoint=True)
    in_order = np.sort(counts)[::-1]
    of_runs = in_order[np.minimum(ranks, len(in_order)) - 1]
    return {Fraction(int(value)): np.flatnonzero(of_runs == value) for value in np.unique(of_runs)}
