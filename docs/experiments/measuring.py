"""What a point of a figure is measured at, how mechanisms are run for it, and the sums that a quantity follows from.

All mechanisms are run here, those of the catalogue, in many runs at once.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from alignkit import BELOW, InputError, Mechanism, load

Array = np.ndarray[Any, Any]

_ARRAYS = ("run", "query", "gap", "tag", "cost")

# Outputs that are held at once, of all runs together: some hundred megabytes.
_NUMBERS_AT_ONCE = 2**22


@dataclass(frozen=True)
class AnswersGiven:
    """The answers of all runs, one after the other: of each its run, its query, and what was said of it.

    A query that came out below is no answer. The arrays have one element for each answer, sorted by run, and within a
    run in the order in which the answers were given.

    Attributes
    ----------
    runs
        The number of runs, of which some may have given no answer.
    run, query
        The run that gave the answer, and the index of its query; both from 0.
    gap
        The gap of the answer, NaN where it has none.
    tag
        The name of the answer's tag, empty where it has none.
    cost
        What the answer says that it cost, NaN where it does not say it.
    """

    runs: int
    run: Array
    query: Array
    gap: Array
    tag: Array
    cost: Array

    @property
    def rank(self) -> Array:
        """The place of each answer in its run, from 0."""
        first = np.searchsorted(self.run, self.run, side="left")
        return np.arange(len(self.run)) - first

    def table(self, values: Array, width: int) -> Array:
        """Lay values, one for each answer, out in rows: one for each run, NaN where it has fewer than ``width``."""
        laid_out = np.full((self.runs, width), math.nan)
        kept = self.rank < width
        laid_out[self.run[kept], self.rank[kept]] = values[kept]
        return laid_out

    def per_run(self, chosen: Array) -> Array:
        """Count the chosen answers of each run; ``chosen`` has a Boolean for each answer."""
        return np.bincount(self.run[chosen], minlength=self.runs)


def catalogue_mechanism(name: str) -> Mechanism:
    """The mechanism of the catalogue that has this name.

    >>> catalogue_mechanism("noisy_top_k").name
    'noisy_top_k'
    """
    target = load(name)
    if not isinstance(target, Mechanism):
        raise InputError(f"{name} is an alignment; an experiment runs mechanisms")
    return target


def draw_runs(mechanism: Mechanism, runs: int, seed: int, **arguments: Any) -> AnswersGiven:
    """Run a mechanism ``runs`` times, on the noise of a seed.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
    >>> drawn = draw_runs(sparse_vector_with_gap, 3, seed=1, q=[0, 900, 5], T=100, k=1, eps=1)
    >>> drawn.run.tolist(), drawn.query.tolist(), bool((drawn.gap > 700).all())
    ([0, 1, 2], [1, 1, 1], True)
    """
    rng = np.random.default_rng(seed)
    longest = max((len(value) for value in arguments.values() if isinstance(value, list)), default=1)
    at_once = max(1, _NUMBERS_AT_ONCE // longest)
    parts = [
        _answers_in(mechanism, mechanism.sample_many(runs=min(at_once, runs - first), seed=rng, **arguments), first)
        for first in range(0, runs, at_once)
    ]
    joined_up = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}
    return AnswersGiven(runs, **joined_up)


def _answers_in(mechanism: Mechanism, samples: Any, first: int) -> AnswersGiven:
    """The answers in samples, whose runs are numbered from ``first``."""
    given = np.arange(samples.lengths.max(initial=0)) < samples.lengths[:, None]
    tag_names = np.array([*(tag.name for tag in samples.tag_names), ""])
    tags = None if samples.tags is None else _part(samples.tags, 0)
    if tags is not None:
        given &= tag_names[tags] != BELOW.name
    run, place = np.nonzero(given)

    def real(number: int) -> Array:
        has_it = samples.reals is not None and number < (samples.reals.shape[2] if samples.reals.ndim == 3 else 1)
        return _part(samples.reals, number)[run, place] if has_it else np.full(len(run), math.nan)

    selects = samples.indices is not None and not mechanism.program.is_generator
    return AnswersGiven(
        samples.runs,
        run + first,
        _part(samples.indices, 0)[run, place] if selects else place,
        real(0),
        np.full(len(run), "") if tags is None else tag_names[tags[run, place]],
        real(1),
    )


def _part(array: Any, number: int) -> Array:
    """One part of every output: of an array with a third axis, or without one."""
    found: Array = array[..., number] if array.ndim == 3 else array
    return found


def draw_noise(mechanism: Mechanism, runs: int, queries: int, seed: int, **arguments: Any) -> Array:
    """Run a mechanism that adds noise to each answer on answers of 0; the array has the shape (runs, queries)."""
    reals = mechanism.sample_many([0] * queries, runs=runs, seed=seed, **arguments).reals
    if reals is None or reals.shape != (runs, queries):
        raise InputError(f"{mechanism.name} does not add noise to each answer")
    return reals


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
