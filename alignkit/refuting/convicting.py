"""Whether a candidate, adjacent inputs with noise, convicts an alignment: it breaks the proof, not by a tie alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Place
from alignkit.limits import NEVER, Deadline
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import check_inputs
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.replaying import ReplayContext, Run, by_name, exact_noise

# How many times the noise is moved a little before a failure is believed to be no tie.
PERTURBATIONS = 8

# The same before a run counts as one that attains a cost.
FEW_PERTURBATIONS = 4

# By how much the noise is moved there, and which share of the cost may change: one that follows the noise changes by
# about as much as the noise, and one that leaps at a tie by far more, however small the leap is.
_SLIGHTLY = Fraction(1, 10**12)
_ABOUT = Fraction(1, 10**9)


class WatchingContext(ReplayContext):
    """A replay that remembers which lines gave output."""

    def __init__(self, alignment: Alignment, noise: Mapping[str, Any], seen: set[int] | None = None) -> None:
        super().__init__(alignment.mechanism, noise)
        self.lines = seen if seen is not None else set()

    def emit(self, value: Any, place: Place) -> Any:
        self.lines.add(place.line)
        return super().emit(value, place)


class GuessingContext(WatchingContext):
    """A run whose noise is made up as it is drawn."""

    def __init__(self, alignment: Alignment, guess: Callable[[Distribution, tuple[Any, ...]], Any], seen: set[int]):
        super().__init__(alignment, {}, seen)
        self.guess = guess

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        return self.guess(distribution, arguments)


def replayed(alignment: Alignment, candidate: Witness, deadline: Deadline = NEVER) -> AlignedRun | None:
    """The aligned run of a candidate; None where noise is missing, values are of no such type, or answers not adjacent.
    """
    try:
        check_inputs(alignment.adjacency, alignment.mechanism, candidate.values, candidate.values_)
        context = ReplayContext(alignment.mechanism, exact_noise(dict(candidate.H)))
        context.tick = deadline.check
        return run_both(alignment, candidate, context)
    except InputError:
        return None


def convicts(alignment: Alignment, candidate: Witness, deadline: Deadline = NEVER) -> AlignedRun | None:
    """The candidate's trial where it breaks the proof and goes on doing so when the noise moves a little.

    A failure at a tie alone has probability 0 and refutes nothing: moved off the tie in a direction chosen at
    random, it is gone. A run on D that is undefined does not count: it has no output to keep. Raises OutOfTime where
    the deadline passes meanwhile.
    """
    trial = replayed(alignment, candidate, deadline)
    if trial is None or trial.violation is None or not trial.run.defined or trial.close:
        return None
    condition = trial.violation.condition
    for scale in (Fraction(1, 1000), Fraction(1, 10**6)):
        seeds = range(PERTURBATIONS)
        if all(_still(alignment, candidate, trial, condition, scale, seed, deadline) for seed in seeds):
            return trial
    return None


def costs_nearby(alignment: Alignment, candidate: Witness, trial: AlignedRun, deadline: Deadline = NEVER) -> bool:
    """Whether a candidate's trial costs about as much, with nothing broken, wherever its noise is moved a little.

    What is attained at ties alone is attained with probability 0. Lattice noise stays where it is.
    """
    if not any(drawn.distribution.support.continuous for drawn in trial.run.drawn):
        return True
    for seed in range(FEW_PERTURBATIONS):
        noise = moved_slightly(trial.run, _SLIGHTLY, random.Random(seed))
        again = replayed(alignment, candidate.with_noise(noise), deadline)
        if again is None or again.close or again.violation is not None or again.claim != trial.claim:
            return False
        if abs(again.cost - trial.cost) > abs(trial.cost) * _ABOUT:
            return False
    return True


def _still(
    alignment: Alignment,
    candidate: Witness,
    trial: AlignedRun,
    condition: str,
    scale: Fraction,
    seed: int,
    deadline: Deadline,
) -> bool:
    """Whether the trial still breaks the condition, with the same discrete output, on noise moved a little."""
    noise = moved_slightly(trial.run, scale, random.Random(seed))
    again = replayed(alignment, candidate.with_noise(noise), deadline)
    return (
        again is not None
        and not again.close
        and again.violation is not None
        and again.violation.condition == condition
        and len(again.run.drawn) == len(trial.run.drawn)
    )


def moved_slightly(run: Run, distance: Fraction, source: random.Random) -> dict[str, Any]:
    """A run's noise, each continuous coordinate moved at random by up to ``distance``; the others stay."""
    noise = run.noise
    for drawn in run.drawn:
        support = drawn.distribution.support
        if support.continuous:
            step = distance * Fraction(source.randint(-(10**6), 10**6), 10**6)
            noise[drawn.where] += -step if support.one_sided and drawn.value + step < 0 else step
    return by_name(noise)
