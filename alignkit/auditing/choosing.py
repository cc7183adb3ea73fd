"""Choosing a pair and an event: rounds in which the better pairs stay and are looked at with more samples."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from alignkit.auditing.batches import Batch, Repeats, batch_sizes, run_all, run_batch
from alignkit.auditing.certifying import ChosenEvent
from alignkit.auditing.learning import expected_losses, learn_events
from alignkit.auditing.outputs import Outputs, check_kinds
from alignkit.auditing.user_samplers import Runs, shortened
from alignkit.errors import InputError
from alignkit.output_events import Event

_ROUNDS = 3
_KEPT = 4  # one pair in so many stays
_LEAST_RUNS = 200  # of each side of a pair; with fewer, pairs are left out
_MOST_RUNS = 200_000
_FINALISTS = 3


@dataclass(frozen=True)
class SamplingEffort:
    """The number of runs that the search may take in all, and of samples of each side for the certificate."""

    runs: int
    samples: int


@dataclass(frozen=True)
class BestEvents:
    """The best choices of a round, all of one pair, the estimate of what they certify, and how fast runs were."""

    choices: tuple[ChosenEvent, ...]
    estimate: float
    runs: int
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Looked:
    """The outcome of one pair in a round."""

    pair: int
    choices: tuple[ChosenEvent, ...]
    estimate: float
    constant: tuple[tuple[Any, ...], tuple[Any, ...]]  # the one output of either side, if there is one
    runs: int


def choose_events(
    runs: Runs,
    pairs: Sequence[tuple[Any, Any]],
    effort: SamplingEffort,
    *,
    error: float,
    seed: int,
    name: str,
    repeats: Repeats,
    executor: Executor | None = None,
    progress: Callable[[str], None] | None = None,
    deadline: float = float("inf"),
) -> Iterator[BestEvents]:
    """The best choices after each round; none of their samples may be used to certify them."""
    rounds = 1 if len(pairs) == 1 else _ROUNDS
    share = max(effort.runs // rounds, 2 * _LEAST_RUNS)
    alive = list(range(len(pairs)))[: max(1, share // (2 * _LEAST_RUNS))]
    notes: tuple[str, ...] = ()
    kinds: set[str] = set()
    for number in range(rounds):
        size = min(_MOST_RUNS, max(_LEAST_RUNS, share // (2 * len(alive))))
        batches = {place: _batches(runs, pairs[place], size, (number, place), seed, name) for place in alive}
        results = run_all(executor, run_batch, ((batch,) for place in alive for batch in batches[place]))
        looked = []
        began, waited = time.monotonic(), 0.0
        for place in alive:
            started = time.monotonic()
            outputs = []
            for batch in batches[place]:
                result = next(results)
                repeats.check(batch, result.digests)
                outputs.append(result.outputs)
            waited += time.monotonic() - started
            # Sides alternate, and halves after every two batches: one half to learn from, the other to choose by.
            halves = [(Outputs.join(outputs[i::4]), Outputs.join(outputs[i + 1 :: 4])) for i in (0, 2)]
            kinds.update(*(part.kinds for part in outputs))
            check_kinds(kinds, name)
            looked.append(_look(pairs[place], place, halves, effort.samples, error))
            if progress is not None:
                best = max(looked, key=lambda one: one.estimate)
                progress(
                    f"round {number + 1} of {rounds}, pair {len(looked)} of {len(alive)}: "
                    f"expecting a loss of {max(0.0, best.estimate):.4g}"
                )
            if time.monotonic() > deadline:
                break
        results.close()
        # Workers go on while events are learnt here.
        seconds = waited if executor is None else time.monotonic() - began
        if number == 0:
            notes = _check_random(looked, name)
            if len(looked) < len(pairs):
                left = len(pairs) - len(looked)
                notes += (f"{left} of {len(pairs)} pairs were not tried: a larger budget reaches them",)
        looked.sort(key=lambda one: -one.estimate)
        if looked[0].choices:
            yield BestEvents(looked[0].choices, looked[0].estimate, sum(one.runs for one in looked), seconds, notes)
        if time.monotonic() > deadline:
            return
        alive = [one.pair for one in looked[: max(1, len(looked) // _KEPT)]]


def _batches(runs: Runs, pair: tuple[Any, Any], size: int, place: tuple[int, int], seed: int, name: str) -> list[Batch]:
    return [
        Batch(runs, pair[side], part, seed, (place[0], place[1], side, i), name)
        for i, part in enumerate(batch_sizes(size, max(2, min(8, size // 1000))))
        for side in (0, 1)
    ]


def _look(
    pair: tuple[Any, Any], place: int, halves: list[tuple[Outputs, Outputs]], samples: int, error: float
) -> _Looked:
    """Learn events on one half of the outputs, in both directions, and choose by the other half."""
    ranked: list[tuple[float, ChosenEvent]] = []
    for backwards in (False, True):
        (learning, learning_), (held, held_) = (half[::-1] if backwards else half for half in halves)
        one, other = pair[::-1] if backwards else pair
        events: list[Event] = learn_events(learning, learning_, samples, error)
        estimates = expected_losses(events, held, held_, samples, error)
        ranked += [
            (estimate, ChosenEvent(event, one, other, backwards, place))
            for estimate, event in zip(estimates, events, strict=True)
        ]
    ranked.sort(key=lambda choice: -choice[0])
    kept = [(estimate, choice) for estimate, choice in ranked[:_FINALISTS] if estimate > 0.8 * max(0.0, ranked[0][0])]
    sides = [Outputs.join(side) for side in zip(*halves, strict=True)]
    return _Looked(
        place,
        tuple(choice for _, choice in kept),
        kept[0][0] if kept else 0.0,
        (sides[0].only, sides[1].only),
        2 * sides[0].size,
    )


def _check_random(looked: Sequence[_Looked], name: str) -> tuple[str, ...]:
    """Raise InputError where all runs gave one output; a note where each input has one of its own."""
    if not all(one and other for one, other in (pair.constant for pair in looked)):
        return ()
    outputs = [output for pair in looked for output in pair.constant]
    runs = sum(pair.runs for pair in looked)
    if all(output == outputs[0] for output in outputs):
        raise InputError(
            f"{name} returned the same output, {shortened(outputs[0][0])}, in {runs} runs on {2 * len(looked)} inputs; "
            "what never changes is private, but most likely a mistake: does it draw noise, and read its input?"
        )
    return (f"{name} does not look random: on each input all runs gave the same output; does it fix a seed?",)
