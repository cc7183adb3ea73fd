"""Certifying events that were chosen before: fresh samples of both sides, counted, and Clopper-Pearson bounds.

The error is shared among all that is looked at: among the events, and among the checkpoints at which a bound is made,
fixed before the first sample is drawn. So the best bound of all of them fails with probability ``error`` at most, also
where the samples stop early, at whichever checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from alignkit.auditing.batches import Batch, Repeats, batch_sizes, count_hits, run_all
from alignkit.auditing.clopper_pearson import LossBound, loss_bound
from alignkit.auditing.event_refinement import Goal
from alignkit.auditing.outputs import check_kinds
from alignkit.auditing.user_samplers import Runs
from alignkit.errors import InputError
from alignkit.output_events import ANYTHING, Event
from alignkit.results import CertifiedLoss, Method, Witness

# A bound is made after a 64th (where samples are many), a 16th and a quarter of them, so that an interrupted attack has
# one to show.
_CHECKPOINTS = (64, 16, 4, 1)
_EARLY_SHARE = 1 / 12
_PARTS, _FEW_PARTS, _FEW_SAMPLES = 64, 16, 2**16


@dataclass(frozen=True)
class ChosenEvent:
    """An event and two inputs: the loss is that of ``data`` against ``data_``."""

    event: Event
    data: Any
    data_: Any
    backwards: bool = False  # whether ``data`` is the second of its pair
    pair: int = 0


@dataclass(frozen=True)
class Checkpoint:
    """What is certified after so many samples of each side."""

    choice: ChosenEvent
    bound: LossBound
    samples: int
    share: float


def certify_by_samples(
    runs: Runs,
    choices: Sequence[ChosenEvent],
    *,
    samples: int,
    error: float,
    seed: int,
    phase: int,
    name: str,
    repeats: Repeats,
    executor: Executor | None = None,
    progress: Callable[[str], None] | None = None,
) -> Generator[Checkpoint, None, None]:
    """The best bound at each checkpoint; the choices are of one pair and share its samples.

    ``phase`` makes the samples fresh: no other part of the attack may have it.
    """
    first = choices[0]
    inputs = (first.data_, first.data) if first.backwards else (first.data, first.data_)
    events = tuple(choice.event for choice in choices)
    sizes = batch_sizes(samples, _FEW_PARTS if samples < _FEW_SAMPLES else _PARTS)
    stops = sorted({math.ceil(len(sizes) / part) for part in _CHECKPOINTS})
    shares = [error * _EARLY_SHARE] * (len(stops) - 1)
    shares.append(error - sum(shares))
    batches = [
        Batch(runs, inputs[side], size, seed, (phase, first.pair, side, i), name)
        for i, size in enumerate(sizes)
        for side in (0, 1)
    ]
    counts = np.zeros((2, len(sizes), len(events)), dtype=np.int64)
    kinds: set[str] = set()
    results = run_all(executor, count_hits, ((batch, events) for batch in batches))
    for i, (batch, result) in enumerate(zip(batches, results, strict=True)):
        counts[i % 2, i // 2] = result.hits
        kinds |= result.kinds
        repeats.check(batch, result.digests)
        done = i // 2 + 1
        if i % 2 == 0 or done not in stops:
            continue
        check_kinds(kinds, name)
        _check_independent(counts[:, :done], sizes[:done], name)
        total = sum(sizes[:done])
        share = shares[stops.index(done)] / len(choices)
        # All of them were given a share, so any may be looked at; the one that promises most is.
        hits, hits_ = np.array(
            [
                tallied[::-1] if choice.backwards else tallied
                for choice, tallied in zip(choices, counts[:, :done].sum(axis=1).T, strict=True)
            ]
        ).T
        chosen = int(np.argmax(Goal(total, total, total, share).score(hits, hits_)))
        choice, bound = choices[chosen], loss_bound(int(hits[chosen]), int(hits_[chosen]), total, share)
        if progress is not None:
            progress(f"{total} of {samples} samples of each side: the loss is at least {bound.loss:.4g}")
        yield Checkpoint(choice, bound, total, share)


def as_lower_bound(
    checkpoint: Checkpoint | None,
    *,
    pair: tuple[Any, Any],
    error: float,
    claim: float | None,
    parameters: dict[str, Any],
    notes: tuple[str, ...],
) -> CertifiedLoss:
    """The certificate, or, where nothing better is certified, that the loss is at least 0."""
    if checkpoint is None or checkpoint.bound.loss <= 0:
        samples = 0 if checkpoint is None else checkpoint.samples
        return CertifiedLoss(
            0.0,
            Method.SAMPLED,
            Event(ANYTHING),
            Witness(parameters, *map(shown_input, pair)),
            claim=claim,
            error=error,
            samples=samples,
            notes=notes,
        )
    choice, bound = checkpoint.choice, checkpoint.bound
    return CertifiedLoss(
        bound.loss,
        Method.SAMPLED,
        choice.event,
        Witness(parameters, shown_input(choice.data), shown_input(choice.data_)),
        low=bound.low,
        high=bound.high,
        claim=claim,
        error=error,
        samples=checkpoint.samples,
        notes=notes,
    )


def shown_input(data: Any) -> Any:
    """An input as the bound keeps it: an array as a tuple, so that bounds can be compared."""
    return _tuples(data.tolist()) if isinstance(data, np.ndarray) else data


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _check_independent(counts: np.ndarray[Any, Any], sizes: Sequence[int], name: str) -> None:
    """Raise InputError where batches differ by far more than independent runs would: Pearson's chi-squared statistic.

    A draw that all runs of a batch share makes every one of them right and their count worthless. What is left alone
    here is no licence: independence stays an assumption.
    """
    n = np.array(sizes, dtype=np.float64)
    if len(n) < 8:
        return
    for side in counts:
        for hits in side.T:
            p = hits.sum() / n.sum()
            if p * (1 - p) * n.min() < 5:
                continue
            statistic = float((((hits - n * p) ** 2) / (n * p * (1 - p))).sum())
            # Independent runs exceed d + 2 sqrt(d x) + 2 x with probability e^-x about; x = 60 is never.
            d = len(n) - 1
            if statistic > 2 * (d + 2 * math.sqrt(60 * d) + 120):
                raise InputError(
                    f"the runs of {name} are not independent: batches of them differ by far more than chance allows; "
                    "does it share a draw among the runs of one call, or remember earlier runs?"
                )
