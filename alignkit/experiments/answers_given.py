"""The answers that many runs of a mechanism give: the one place where experiments run mechanisms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.catalogue import load
from alignkit.errors import InputError
from alignkit.language.tags import BELOW
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.sampling.sampled_runs import SampledRuns

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


def _answers_in(mechanism: Mechanism, samples: SampledRuns, first: int) -> AnswersGiven:
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
