"""The answers that many runs of a mechanism give: the one place where experiments run mechanisms."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.catalogue import load
from alignkit.errors import InputError
from alignkit.language.tags import BELOW, Tag
from alignkit.running.mechanism_decorator import Mechanism

Array = np.ndarray[Any, Any]


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
    outputs = (mechanism.sample(seed=rng, **arguments) for _ in range(runs))
    return all_answers((runs_answers(i, output) for i, output in enumerate(outputs)), runs)


def draw_noise(mechanism: Mechanism, runs: int, queries: int, seed: int, **arguments: Any) -> Array:
    """Run a mechanism that adds noise to each answer on answers of 0; the array has the shape (runs, queries)."""
    rng = np.random.default_rng(seed)
    return np.array([mechanism.sample([0] * queries, seed=rng, **arguments) for _ in range(runs)], dtype=float)


Answer = tuple[int, int, float, str, float]


def runs_answers(run: int, output: Any) -> list[Answer]:
    """List the answers in a run's output: of a stream, or of a selection, which names its queries.

    >>> runs_answers(7, [BELOW, 2.5])
    [(7, 1, 2.5, '', nan)]
    >>> runs_answers(0, [(4, 1.5), (2, 3.0)])
    [(0, 4, 1.5, '', nan), (0, 2, 3.0, '', nan)]
    """
    return [
        _answer(run, query, said if isinstance(said, tuple) else (said,))
        for query, said in enumerate(output)
        if said is not BELOW and not (isinstance(said, tuple) and said[0] is BELOW)
    ]


def _answer(run: int, query: int, parts: tuple[Any, ...]) -> Answer:
    index = [part for part in parts if isinstance(part, int | np.integer)]
    tags = [part.name for part in parts if isinstance(part, Tag)]
    numbers = [float(part) for part in parts if not isinstance(part, Tag | int | np.integer)]
    gap, cost, *_ = [*numbers, math.nan, math.nan]
    return run, int(index[0]) if index else query, gap, tags[0] if tags else "", cost


def all_answers(answers: Iterable[list[Answer]], runs: int) -> AnswersGiven:
    """Join the answers of all runs."""
    listed = [answer for some in answers for answer in some]
    run, query, gap, tag, cost = zip(*listed, strict=True) if listed else ((), (), (), (), ())
    return AnswersGiven(
        runs,
        np.array(run, dtype=np.int64),
        np.array(query, dtype=np.int64),
        np.array(gap, dtype=float),
        np.array(tag, dtype=str),
        np.array(cost, dtype=float),
    )
