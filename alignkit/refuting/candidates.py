"""Candidates: one concrete pair of adjacent databases with public parameters and noise, and how it fares."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Place
from alignkit.limits import NEVER, Deadline
from alignkit.noise import Distribution
from alignkit.running.adjacency import check_adjacent
from alignkit.running.aligned import Trial, as_vector, attempt
from alignkit.running.alignment import Alignment
from alignkit.running.replaying import ReplayContext, exact_noise

# How many times the noise is moved a little before a failure is believed to be no tie.
PERTURBATIONS = 8

# The same before a run counts as one that attains a cost.
FEW_PERTURBATIONS = 4

# By how much the noise is moved there, and which share of the cost may change: one that follows the noise changes by
# about as much as the noise, and one that leaps at a tie by far more, however small the leap is.
_SLIGHTLY = Fraction(1, 10**12)
_ABOUT = Fraction(1, 10**9)


@dataclass(frozen=True)
class Candidate:
    """Arguments of the mechanism on D and on D′ (public ones the same), and the noise by name."""

    values: Mapping[str, Any]
    values_: Mapping[str, Any]
    noise: Mapping[str, Any]


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


def replayed(alignment: Alignment, candidate: Candidate, deadline: Deadline = NEVER) -> Trial | None:
    """The trial of a candidate; None where noise is missing, values are of no such type, or answers not adjacent."""
    try:
        for name, kind in alignment.mechanism.parameters.items():
            kind.read(candidate.values[name], name)
            kind.read(candidate.values_[name], name)
        check_adjacent(alignment.adjacency, alignment.mechanism, candidate.values, candidate.values_)
        context = ReplayContext(alignment.mechanism, exact_noise(dict(candidate.noise)))
        context.tick = deadline.check
        return attempt(alignment, candidate.values, candidate.values_, context)
    except InputError:
        return None


def convicts(alignment: Alignment, candidate: Candidate, deadline: Deadline = NEVER) -> Trial | None:
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


def costs_nearby(alignment: Alignment, candidate: Candidate, trial: Trial, deadline: Deadline = NEVER) -> bool:
    """Whether a candidate's trial costs about as much, with nothing broken, wherever its noise is moved a little.

    What is attained at ties alone is attained with probability 0. Lattice noise stays where it is.
    """
    if not any(drawn.distribution.support.continuous for drawn in trial.run.drawn):
        return True
    for seed in range(FEW_PERTURBATIONS):
        noise = _moved(trial, _SLIGHTLY, random.Random(seed))
        again = replayed(alignment, Candidate(candidate.values, candidate.values_, noise), deadline)
        if again is None or again.close or again.violation is not None or again.claim != trial.claim:
            return False
        if abs(again.cost - trial.cost) > abs(trial.cost) * _ABOUT:
            return False
    return True


def _still(
    alignment: Alignment,
    candidate: Candidate,
    trial: Trial,
    condition: str,
    scale: Fraction,
    seed: int,
    deadline: Deadline,
) -> bool:
    """Whether the trial still breaks the condition, with the same discrete output, on noise moved a little."""
    source = random.Random(seed)
    moved = Candidate(candidate.values, candidate.values_, _moved(trial, scale, source))
    again = replayed(alignment, moved, deadline)
    return (
        again is not None
        and not again.close
        and again.violation is not None
        and again.violation.condition == condition
        and len(again.run.drawn) == len(trial.run.drawn)
    )


def _moved(trial: Trial, scale: Fraction, source: random.Random) -> dict[str, Any]:
    from dataclasses import replace

    drawn = []
    for each in trial.run.drawn:
        value = each.value
        if each.distribution.support.continuous:
            step = scale * Fraction(source.randint(-(10**6), 10**6), 10**6)
            if each.distribution.support.one_sided and value + step < 0:
                step = -step
            value = value + step
        drawn.append(replace(each, value=value))
    return as_vector(replace(trial.run, drawn=tuple(drawn)))
