"""Choosing a pair and an event: rounds in which the better pairs stay and are looked at with more samples."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from alignkit.auditing.batches import Sampling, batch_sizes, run_batch
from alignkit.auditing.certifying import ChosenEvent
from alignkit.auditing.learning import expected_losses, learn_events
from alignkit.auditing.outputs import Outputs, check_kinds
from alignkit.auditing.user_samplers import shortened
from alignkit.errors import InputError

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
            results.append(_pair_result(pairs[number], number, halves, samples, sampling.error))
            best = max(result.estimate for result in results)
            sampling.report(
                f"round {phase + 1} of {rounds}, pair {len(results)} of {len(alive)}: "
                f"expecting a loss of {max(0.0, best):.4g}"
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
                notes += (f"{left} of {len(pairs)} pairs were not tried: a larger budget reaches them",)
        results.sort(key=lambda result: -result.estimate)
        if results[0].choices:
            yield BestEvents(results[0].choices, sum(result.runs for result in results), seconds, notes)
        if time.monotonic() > deadline:
            return
        alive = [result.number for result in results[: max(1, len(results) // _KEPT)]]


def _pair_result(
    pair: tuple[Any, Any], number: int, halves: list[tuple[Outputs, Outputs]], samples: int, error: float
) -> _PairResult:
    """Learn events on one half of the outputs, in both directions, and choose by the other half."""
    ranked: list[tuple[float, ChosenEvent]] = []
    for backwards in (False, True):
        (learning, learning_), (held, held_) = (half[::-1] if backwards else half for half in halves)
        events = learn_events(learning, learning_, samples, error)
        estimates = expected_losses(events, held, held_, samples, error)
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
