"""Certifying events that were chosen before: fresh samples of both sides, counted, and Clopper-Pearson bounds.

The error is shared among all that is looked at: among the events, and among the checkpoints at which a bound is made,
fixed before the first sample is drawn. So the best bound of all of them fails with probability ``error`` at most, also
where the samples stop early, at whichever checkpoint.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from alignkit.auditing.batches import Sampling, batch_sizes, count_hits
from alignkit.auditing.clopper_pearson import loss_bound
from alignkit.auditing.event_refinement import Goal
from alignkit.auditing.outputs import check_kinds
from alignkit.errors import InputError
from alignkit.output_events import ANY_OUTPUT, Event
from alignkit.results import CertifiedLoss, Method, Witness

# A bound is made after a 64th (where samples are many), a 16th and a quarter of them, so that an interrupted attack has
# one to show.
_CHECKPOINTS = (64, 16, 4, 1)
_EARLY_SHARE = 1 / 12
_PARTS, _FEW_PARTS, _FEW_SAMPLES = 64, 16, 2**16


@dataclass(frozen=True)
class ChosenEvent:
    """An event and a pair of inputs with its number: the loss is that of the first against the second, or backwards."""

    event: Event
    pair: tuple[Any, Any]
    number: int = 0
    backwards: bool = False


def certify_by_samples(
    sampling: Sampling, choices: Sequence[ChosenEvent], samples: int, phase: int
) -> Generator[CertifiedLoss, None, None]:
    """The best bound at each checkpoint, by so many samples; the choices are of one pair and share its samples."""
    events = tuple(choice.event for choice in choices)
    sizes = batch_sizes(samples, _FEW_PARTS if samples < _FEW_SAMPLES else _PARTS)
    stops = sorted({math.ceil(len(sizes) / part) for part in _CHECKPOINTS})
    shares = [sampling.error * _EARLY_SHARE] * (len(stops) - 1)
    shares.append(sampling.error - sum(shares))
    batches = sampling.batches(choices[0].pair, sizes, phase, choices[0].number)
    counts = np.zeros((2, len(sizes), len(events)), dtype=np.int64)
    kinds: set[str] = set()
    results = sampling.results(count_hits, ((batch, events) for batch in batches))
    for i, (batch, result) in enumerate(zip(batches, results, strict=True)):
        counts[i % 2, i // 2] = result.hits
        kinds |= result.kinds
        sampling.check_fresh(batch, result.digests)
        done = i // 2 + 1
        if i % 2 == 0 or done not in stops:
            continue
        check_kinds(kinds, sampling.name)
        _check_independent(counts[:, :done], sizes[:done], sampling.name)
        total = sum(sizes[:done])
        share = shares[stops.index(done)] / len(choices)
        # All of them were given a share, so any may be looked at; the one that promises most is.
        totals = counts[:, :done].sum(axis=1)
        hits, hits_ = np.where([choice.backwards for choice in choices], totals[::-1], totals)
        chosen = int(np.argmax(Goal(total, total, total, share).score(hits, hits_)))
        bound = loss_bound(int(hits[chosen]), int(hits_[chosen]), total, share)
        sampling.report(f"{total} of {samples} samples of each side: the loss is at least {bound.loss:.4g}")
        choice = choices[chosen]
        yield CertifiedLoss(
            bound.loss,
            Method.SAMPLED,
            choice.event,
            _witness(choice.pair[::-1] if choice.backwards else choice.pair),
            bound.low,
            bound.high,
            error=sampling.error,
            samples=total,
        )


def concluded(
    best: CertifiedLoss | None,
    *,
    pair: tuple[Any, Any],
    error: float,
    claim: float | None,
    parameters: Mapping[str, Any] | None,
    notes: tuple[str, ...],
) -> CertifiedLoss:
    """The best bound, or, where nothing better is certified, that the loss is at least 0."""
    if best is None or best.loss <= 0:
        samples = 0 if best is None else best.samples
        best = CertifiedLoss(0.0, Method.SAMPLED, ANY_OUTPUT, _witness(pair), error=error, samples=samples)
    return replace(best, witness=replace(best.witness, public=dict(parameters or {})), claim=claim, notes=notes)


def _witness(pair: tuple[Any, Any]) -> Witness:
    """Two inputs as the bound keeps them: an array as a tuple, so that bounds can be compared."""
    return Witness({}, *(_tuples(data.tolist()) if isinstance(data, np.ndarray) else data for data in pair))


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
