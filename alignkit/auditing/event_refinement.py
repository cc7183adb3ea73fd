"""One step of learning an event: the best labels, values or interval for one part of the output."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignkit.auditing.outputs import Column
from alignkit.output_events import Interval, OneOf

Counts = NDArray[Any]

_MOST_VALUES = 64  # of a set; a part with more distinct numbers is cut into intervals alone
_LOOKED_AT = 4096  # numbers of each side from which values and quantiles are taken
_QUANTILES = (0.001, 0.003, 0.01, 0.03, *(i / 16 for i in range(1, 16)), 0.97, 0.99, 0.997, 0.999)
# A second end, or a second value, must earn more than chance gives it: simple events are preferred.
_LEAST_GAIN = 2e-3
# How much more a delta scores than a loss of its size: those that are claimed are small.
_SCORE_OF_DELTA = 20.0


@dataclass(frozen=True)
class Goal:
    """The purpose of an event: a bound from ``samples`` final samples of each side, at an error probability.

    ``runs`` and ``runs_`` are how many outputs the hits are counted in. With an ``epsilon`` the bound is one on delta.
    """

    runs: int
    runs_: int
    samples: int
    error: float
    epsilon: float | None = None

    def score(self, hits: Counts, hits_: Counts) -> NDArray[np.float64]:
        """The loss or delta that a final sample may be expected to certify; cautious by two deviations of the counts.

        Wilson's interval stands for Clopper-Pearson's: it has a closed form, and nothing certified depends on it.
        """
        p, p_ = hits / max(1, self.runs), hits_ / max(1, self.runs_)
        p = p - 2 * np.sqrt(p * (1 - p) / max(1, self.runs))
        p_ = np.minimum(1.0, p_ + 2 * np.sqrt(p_ * (1 - p_) / max(1, self.runs_)) + 1 / max(1, self.runs_))
        p = np.maximum(p, 1e-100)
        if self.epsilon is not None:
            delta = self._wilson(p, -1) - math.exp(min(self.epsilon, 700.0)) * self._wilson(p_, 1)
            return np.asarray(_SCORE_OF_DELTA * delta, dtype=np.float64)
        ratio = np.log(self._wilson(p, -1) / self._wilson(p_, 1))
        return np.asarray(np.where(hits > 0, ratio, -math.inf), dtype=np.float64)

    def of_rows(self, chosen: NDArray[np.bool_], on_d: NDArray[np.bool_]) -> float:
        """The score of the rows that are chosen."""
        hits = np.array([np.count_nonzero(chosen & on_d)], dtype=np.float64)
        return float(self.score(hits, np.array([np.count_nonzero(chosen & ~on_d)], dtype=np.float64))[0])

    def _wilson(self, p: NDArray[np.float64], sign: int) -> NDArray[np.float64]:
        z2 = 2 * math.log(2 / self.error) / max(1, self.samples)
        spread = np.sqrt(z2 * p * (1 - p) + z2 * z2 / 4)
        if sign > 0:
            return np.asarray((p + z2 / 2 + spread) / (1 + z2))
        # (c - s) with c² - s² = p² (1 + z²): no cancellation for rare events.
        return np.asarray(p * p / (p + z2 / 2 + spread))


@dataclass(frozen=True)
class Refinement:
    """A pattern for one part, and the score of the event it makes."""

    pattern: Any
    score: float


def refine(column: Column, on_d: NDArray[np.bool_], goal: Goal) -> Refinement | None:
    """The best pattern for a part, given its values in the outputs that are still in the event."""
    options: list[Refinement] = []
    numbers, sides = column.numbers, on_d
    if column.labels:
        is_number = column.codes < 0
        options += unions(column.labels, column.codes[~is_number], on_d[~is_number], goal)
        numbers, sides = numbers[is_number], on_d[is_number]
        if len(numbers):
            options.append(Refinement(Interval(), goal.of_rows(is_number, on_d)))
    if len(numbers):
        options += _numeric(numbers, sides, goal)
    # The first that is nearly as good as the best: the simpler ones come first.
    top = max((option.score for option in options), default=-math.inf)
    return next((option for option in options if option.score >= top - _LEAST_GAIN), None)


def distinct(column: Column) -> tuple[list[Any], NDArray[np.int64]] | None:
    """The values of a part and each run's place among them, or -1; None where there are too many."""
    values: list[Any] = list(column.labels)
    places = column.codes.astype(np.int64)
    is_number = places < 0
    numbers = column.numbers[is_number]
    if len(numbers):
        few = np.unique(_some(numbers))
        if len(few) > _MOST_VALUES:
            return None
        near = _places(few, numbers)
        places[is_number] = np.where(near >= 0, near + len(values), -1)
        values += few.tolist()
    return values, places


def unions(
    values: Sequence[Hashable], places: NDArray[Any], on_d: NDArray[np.bool_], goal: Goal
) -> Iterator[Refinement]:
    """The best single value, and the best set of values: sets grow in the order of the likelihood ratio.

    ``places`` are those of the runs' values among these.
    """
    hits, hits_ = _tallies(places, on_d, len(values))
    seen = np.flatnonzero(hits > 0)
    if not len(seen):
        return
    order = seen[np.argsort(-(hits[seen] + 0.5) / (hits_[seen] + 0.5), kind="stable")][:_MOST_VALUES]
    singles = goal.score(hits[order].astype(np.float64), hits_[order].astype(np.float64))
    best = int(np.argmax(singles))
    yield Refinement(_one_of([values[order[best]]]), float(singles[best]))
    sets = goal.score(np.cumsum(hits[order], dtype=np.float64), np.cumsum(hits_[order], dtype=np.float64))
    best = int(np.argmax(sets))
    if best > 0:
        yield Refinement(_one_of([values[i] for i in order[: best + 1]]), float(sets[best]))


def _one_of(values: list[Any]) -> Any:
    # A tuple of values is a pattern of its own, and so is one value.
    return values[0] if len(values) == 1 else OneOf(frozenset(values))


def _tallies(places: NDArray[Any], on_d: NDArray[np.bool_], count: int) -> tuple[Counts, Counts]:
    """How many runs on D, and how many on D′, have each of so many places."""
    return np.bincount(places[on_d], minlength=count), np.bincount(places[~on_d], minlength=count)


def _places(values: NDArray[Any], numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Each number's place among sorted values, or -1."""
    near = np.minimum(np.searchsorted(values, numbers), len(values) - 1)
    return np.where(np.asarray(values[near] == numbers, dtype=np.bool_), near, -1)


def _numeric(numbers: NDArray[Any], on_d: NDArray[np.bool_], goal: Goal) -> Iterator[Refinement]:
    looked_at = np.concatenate([_some(numbers[on_d]), _some(numbers[~on_d])])
    values, counts = np.unique(looked_at, return_counts=True)
    few = len(values) <= _MOST_VALUES
    try:
        # Exact numbers are cut as floats: this only proposes an interval, and counting is exact.
        approximate = numbers.astype(np.float64)
        seen = values.astype(np.float64) if few else looked_at.astype(np.float64)
    except OverflowError:
        approximate = seen = np.empty(0)
    seen = seen[np.isfinite(seen)]
    thresholds = np.unique(seen) if few or not len(seen) else _thresholds(seen, whole=numbers.dtype.kind == "i")
    if len(thresholds):
        # Where the values are few, the ends are values themselves; thirds, say, are no floats.
        exact = [Fraction(value) for value in values.tolist() if few and abs(value) < math.inf]
        ends = exact if len(exact) == len(thresholds) else [Fraction(t) for t in thresholds.tolist()]
        yield from _intervals(approximate, on_d, thresholds, ends, goal)
    common = values if few else values[counts >= 0.02 * len(looked_at)]
    if len(common):
        places = _places(common, numbers)
        yield from unions(common.tolist(), places[places >= 0], on_d[places >= 0], goal)


def _intervals(
    numbers: NDArray[np.float64],
    on_d: NDArray[np.bool_],
    thresholds: NDArray[np.float64],
    exact: list[Fraction],
    goal: Goal,
) -> Iterator[Refinement]:
    """The best interval with one end, then the best with two."""
    bins = np.searchsorted(thresholds, numbers, side="right")
    ends = [None, *exact, None]
    below, below_ = (np.concatenate([[0], np.cumsum(tally)]) for tally in _tallies(bins, on_d, len(thresholds) + 1))
    # From the end of index i to that of index j: below[j] - below[i] hits.
    low, high = np.triu_indices(len(ends), 1)
    scores = goal.score((below[high] - below[low]).astype(float), (below_[high] - below_[low]).astype(float))
    for both in (False, True):
        inner = (low > 0) & (high < len(ends) - 1)
        allowed = inner if both else ~inner
        if allowed.any():
            best = int(np.argmax(np.where(allowed, scores, -math.inf)))
            yield Refinement(Interval(ends[low[best]], ends[high[best]]), float(scores[best]))


def _thresholds(numbers: NDArray[np.float64], *, whole: bool) -> NDArray[np.float64]:
    """Quantiles, rounded to few binary digits so that people can read them."""
    spread = float(np.quantile(numbers, 0.9) - np.quantile(numbers, 0.1)) or float(np.ptp(numbers))
    step = 2.0 ** math.floor(math.log2(spread / 64)) if spread > 0 and math.isfinite(spread) else 1.0
    step = max(step, 1.0) if whole else step
    rounded = np.round(np.quantile(numbers, _QUANTILES) / step) * step
    return np.unique(rounded[np.isfinite(rounded)])


def _some(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers spread evenly over the runs."""
    return numbers[:: max(1, len(numbers) // _LOOKED_AT)]
