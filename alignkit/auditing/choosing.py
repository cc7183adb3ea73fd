"""Choosing a pair and an event: rounds in which the better pairs stay and are looked at with more samples.

Events learnt from outputs on D and D′, as in StatDP (Ding et al., CCS 2018) and DP-Sniper (Bichsel et al., 2021).

An event starts as "any output of this structure" and is refined part by part: to some labels, to an interval. Each step
takes what raises most the loss that a final sample could certify. Outputs with few distinct values are taken whole, in
the order of their likelihood ratio, which by the Neyman-Pearson lemma is the best order there is.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignkit.auditing.batches import Sampling, batch_sizes, run_batch
from alignkit.auditing.certifying import ChosenEvent
from alignkit.auditing.event_refinement import Goal, Refinement, distinct, refine, unions
from alignkit.auditing.outputs import Column, Group, Outputs, Structure, check_kinds, leaves
from alignkit.auditing.sampler_inputs import shortened
from alignkit.errors import InputError
from alignkit.output_events import ANYTHING, Event, Interval, with_parts

_LEAST_GAIN = 1e-3
_MOST_STEPS = 12
_MOST_PARTS = 32
_MOST_VIEWS = 6
_MOST_SKELETONS = 4


@dataclass(frozen=True)
class View:
    """The outputs of one structure, those on D first; with ``more``, those that begin with it."""

    structure: Structure
    more: bool
    columns: tuple[Column, ...]
    on_d: NDArray[np.bool_]

    def event(self, patterns: Sequence[Any]) -> Event:
        """The event with these patterns, one for each number or label."""
        return Event(with_parts(self.structure, patterns), more=self.more)


def learn_events(
    outputs: Outputs, outputs_: Outputs, samples: int, error: float, epsilon: float | None = None
) -> list[Event]:
    """Events likelier on D than on D′, each the best of some family; choose among them on other outputs.

    >>> noise = np.random.default_rng(1).laplace(size=(2, 20_000))
    >>> one, other = (Outputs.of(noise[i] + i, name="laplace") for i in (0, 1))
    >>> events = learn_events(one, other, 10**6, 1e-6)
    >>> score, event = max(zip(expected_losses(events, one, other, 10**6, 1e-6), events), key=lambda pair: pair[0])
    >>> event.holds(-1.0), event.holds(3.0)
    (True, False)
    """
    goal = Goal(outputs.size, outputs_.size, samples, error, epsilon)
    events: dict[Event, None] = {}
    for view in _views(outputs, outputs_):
        for start in _starts(view):
            events |= dict.fromkeys(_refined(view, start, goal))
        events |= dict.fromkeys(_whole(view, goal))
    return list(events)


def expected_losses(
    events: Sequence[Event],
    outputs: Outputs,
    outputs_: Outputs,
    samples: int,
    error: float,
    epsilon: float | None = None,
) -> list[float]:
    """The score of what each event may be expected to have certified by a final sample, from held-out outputs."""
    goal = Goal(outputs.size, outputs_.size, samples, error, epsilon)
    hits, hits_ = (np.array([side.hits(event) for event in events]) for side in (outputs, outputs_))
    return [float(score) for score in goal.score(hits, hits_)]


def _views(outputs: Outputs, outputs_: Outputs) -> Iterator[View]:
    counts: Counter[Structure] = Counter()
    for side in (outputs, outputs_):
        for group in side.groups:
            counts[group.structure] += group.size
    for structure, _ in counts.most_common(_MOST_VIEWS):
        yield _view(outputs, outputs_, structure, more=False)
    if len(counts) > 1:
        beginnings: Counter[Structure] = Counter()
        for structure, count in counts.items():
            for length in range(1, len(structure or ())):
                beginnings[(structure or ())[:length]] += count
        # Short beginnings are shared by most outputs, long ones tell most.
        common = [b for b, count in beginnings.items() if count >= 0.02 * sum(counts.values())]
        common.sort(key=lambda b: (leaves(b), -beginnings[b]))
        half = _MOST_VIEWS // 2
        for beginning in dict.fromkeys(common[:half] + common[-half:]):
            yield _view(outputs, outputs_, beginning, more=True)


def _view(outputs: Outputs, outputs_: Outputs, structure: Structure, *, more: bool) -> View:
    def is_seen(group: Group) -> bool:
        whole = group.structure
        if more and isinstance(whole, tuple) and isinstance(structure, tuple):
            whole = whole[: len(structure)]
        return whole == structure

    groups, groups_ = (list(filter(is_seen, side.groups)) for side in (outputs, outputs_))
    size, size_ = (sum(group.size for group in side) for side in (groups, groups_))
    both = [*groups, *groups_]
    columns = tuple(Column.join([group.columns[i] for group in both]) for i in range(leaves(structure)))
    return View(structure, more, columns, np.arange(size + size_) < size)


def _starts(view: View) -> Iterator[list[Any]]:
    """Nothing asked of any part; then the commonest ways of which part is which label, and which a number."""
    yield [ANYTHING] * len(view.columns)
    labelled = [i for i, column in enumerate(view.columns) if column.labels]
    if len(labelled) < 2:
        return
    codes = np.stack([view.columns[i].codes for i in labelled])
    on_d = codes[:, view.on_d]
    if not on_d.shape[1]:
        return
    skeletons, counts = np.unique(on_d, axis=1, return_counts=True)
    for place in np.argsort(-counts, kind="stable")[:_MOST_SKELETONS]:
        start: list[Any] = [ANYTHING] * len(view.columns)
        for i, code in zip(labelled, skeletons[:, place], strict=True):
            start[i] = Interval() if code < 0 else view.columns[i].labels[code]
        yield start


def _refined(view: View, start: list[Any], goal: Goal) -> Iterator[Event]:
    """The events on the way from a start to one that cannot be made better part by part."""
    patterns = list(start)
    chosen = np.ones(len(view.on_d), dtype=np.bool_)
    for column, pattern in zip(view.columns, patterns, strict=True):
        chosen &= column.fits(pattern)
    score = goal.of_rows(chosen, view.on_d)
    yield view.event(patterns)
    for _ in range(_MOST_STEPS):
        best: Refinement | None = None
        part = 0
        on_d = view.on_d[chosen]
        for i, column in enumerate(view.columns[:_MOST_PARTS]):
            if patterns[i] is ANYTHING or isinstance(patterns[i], Interval):
                refinement = refine(column.where(chosen), on_d, goal)
                if refinement is not None and (best is None or refinement.score > best.score):
                    best, part = refinement, i
        if best is None or best.score <= score + _LEAST_GAIN:
            return
        patterns[part] = _both(patterns[part], best.pattern)
        chosen = chosen & view.columns[part].fits(patterns[part])
        score = best.score
        yield view.event(patterns)


def _both(old: Any, new: Any) -> Any:
    if isinstance(old, Interval) and isinstance(new, Interval):
        lows = [end for end in (old.low, new.low) if end is not None]
        highs = [end for end in (old.high, new.high) if end is not None]
        return Interval(max(lows, default=None), min(highs, default=None))
    return new


def _whole(view: View, goal: Goal) -> Iterator[Event]:
    """Sets of whole outputs, where each part has few distinct values."""
    if not 2 <= len(view.columns) <= _MOST_PARTS or view.more:
        return
    parts = [distinct(column) for column in view.columns]
    if any(part is None for part in parts):
        return
    kept = [part for part in parts if part is not None]
    known = np.all([places >= 0 for _, places in kept], axis=0)
    rows = np.stack([places for _, places in kept])[:, known]
    if not rows.shape[1]:
        return
    keys, which = np.unique(rows, axis=1, return_inverse=True)
    which = which.reshape(-1)
    values = [
        with_parts(view.structure, [values[code] for (values, _), code in zip(kept, key, strict=True)])
        for key in keys.T
    ]
    for refinement in unions(values, which, view.on_d[known], goal):
        yield Event(refinement.pattern)


_ROUNDS = 3
_KEPT = 4  # one pair in so many stays
_LEAST_RUNS = 200  # of each side of a pair; with fewer, pairs are left out
_MOST_RUNS = 200_000
_FINALISTS = 3


@dataclass(frozen=True)
class BestEvents:
    """The best choices of a round, all of one pair, and how fast its runs were; notes on the attack."""

    choices: tuple[ChosenEvent, ...]
    runs: int
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _PairResult:
    """The outcome of one pair in a round: its best choices, and the loss that the best may be expected to certify."""

    number: int
    choices: tuple[ChosenEvent, ...]
    estimate: float
    constant: tuple[tuple[Any, ...], tuple[Any, ...]]  # the one output of either side, if there is one
    runs: int


def choose_events(
    sampling: Sampling, pairs: Sequence[tuple[Any, Any]], *, runs: int, samples: int, deadline: float = math.inf
) -> Iterator[BestEvents]:
    """The best choices after each round; none of their samples may be used to certify them.

    The search takes about so many ``runs`` in all; a choice is to be certified by so many ``samples`` of each side.
    """
    rounds = 1 if len(pairs) == 1 else _ROUNDS
    share = max(runs // rounds, 2 * _LEAST_RUNS)
    alive = list(range(len(pairs)))[: max(1, share // (2 * _LEAST_RUNS))]
    notes: tuple[str, ...] = ()
    kinds: set[str] = set()
    for phase in range(rounds):
        size = min(_MOST_RUNS, max(_LEAST_RUNS, share // (2 * len(alive))))
        sizes = batch_sizes(size, max(2, min(8, size // 1000)))
        batches = [sampling.batches(pairs[number], sizes, phase, number) for number in alive]
        outcomes = sampling.results(run_batch, ((batch,) for batch in itertools.chain.from_iterable(batches)))
        results: list[_PairResult] = []
        began, waited = time.monotonic(), 0.0
        for number, of_pair in zip(alive, batches, strict=True):
            started = time.monotonic()
            outputs = []
            for batch in of_pair:
                outcome = next(outcomes)
                sampling.check_fresh(batch, outcome.digests)
                outputs.append(outcome.outputs)
            waited += time.monotonic() - started
            # Sides alternate, and halves after every two batches: one half to learn from, the other to choose by.
            halves = [(Outputs.join(outputs[i::4]), Outputs.join(outputs[i + 1 :: 4])) for i in (0, 2)]
            kinds.update(*(part.kinds for part in outputs))
            check_kinds(kinds, sampling.name)
            results.append(_pair_result(pairs[number], number, halves, samples, sampling))
            best = max(result.estimate for result in results)
            sampling.report(
                f"round {phase + 1} of {rounds}, pair {len(results)} of {len(alive)}: "
                f"expecting a {'loss' if sampling.epsilon is None else 'score'} of {max(0.0, best):.4g}"
            )
            if time.monotonic() > deadline:
                break
        outcomes.close()
        # Workers go on while events are learnt here.
        seconds = waited if sampling.executor is None else time.monotonic() - began
        if phase == 0:
            notes = _check_random(results, sampling.name)
            if len(results) < len(pairs):
                left = len(pairs) - len(results)
                notes += (f"{left} of {len(pairs)} pairs were not tried: a longer timeout reaches them",)
        results.sort(key=lambda result: -result.estimate)
        if results[0].choices:
            yield BestEvents(results[0].choices, sum(result.runs for result in results), seconds, notes)
        if time.monotonic() > deadline:
            return
        alive = [result.number for result in results[: max(1, len(results) // _KEPT)]]


def _pair_result(
    pair: tuple[Any, Any], number: int, halves: list[tuple[Outputs, Outputs]], samples: int, sampling: Sampling
) -> _PairResult:
    """Learn events on one half of the outputs, in both directions, and choose by the other half."""
    ranked: list[tuple[float, ChosenEvent]] = []
    for backwards in (False, True):
        (learning, learning_), (held, held_) = (half[::-1] if backwards else half for half in halves)
        goal = samples, sampling.error, sampling.epsilon
        events = learn_events(learning, learning_, *goal)
        estimates = expected_losses(events, held, held_, *goal)
        choices = (ChosenEvent(event, pair, number, backwards) for event in events)
        ranked += zip(estimates, choices, strict=True)
    ranked.sort(key=lambda choice: -choice[0])
    kept = [(estimate, choice) for estimate, choice in ranked[:_FINALISTS] if estimate > 0.8 * max(0.0, ranked[0][0])]
    sides = [Outputs.join(side) for side in zip(*halves, strict=True)]
    return _PairResult(
        number,
        tuple(choice for _, choice in kept),
        kept[0][0] if kept else 0.0,
        (sides[0].only, sides[1].only),
        2 * sides[0].size,
    )


def _check_random(results: Sequence[_PairResult], name: str) -> tuple[str, ...]:
    """Raise InputError where all runs gave one output; a note where each input has one of its own."""
    if not all(one and other for one, other in (result.constant for result in results)):
        return ()
    outputs = [output for result in results for output in result.constant]
    if all(output == outputs[0] for output in outputs):
        runs = sum(result.runs for result in results)
        raise InputError(
            f"{name} returned the same output, {shortened(outputs[0][0])}, in {runs} runs on {len(outputs)} inputs; "
            "what never changes is private, but most likely a mistake: does it draw noise, and read its input?"
        )
    return (f"{name} does not look random: on each input all runs gave the same output; does it fix a seed?",)
