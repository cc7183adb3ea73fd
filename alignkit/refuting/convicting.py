"""Whether a candidate, adjacent inputs with noise, convicts an alignment: it breaks the proof, not by a tie alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import MOST_COUNTED
from alignkit.interpreting.values import Coordinate, WholeNumbers
from alignkit.language.program import Place
from alignkit.limits import NEVER, Deadline
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.replaying import ReplayContext, Run, by_name, exact_noise

# How many times the noise is moved a little before a failure is believed to be no tie.
PERTURBATIONS = 8

# At most so far each continuous coordinate is moved, so many times at each of these distances.
MOVED_BY = (Fraction(1, 1000), Fraction(1, 10**6))

# The same before a run counts as one that attains a cost.
FEW_PERTURBATIONS = 4

# By how much the noise is moved there, and which share of the cost may change: one that follows the noise changes by
# about as much as the noise, and one that leaps at a tie by far more, however small the leap is.
_SLIGHTLY = Fraction(1, 10**12)
_ABOUT = Fraction(1, 10**9)


class GuessingContext(ReplayContext):
    """A run whose noise is chosen at the moment it is drawn; ``lines`` collects the lines that gave output."""

    def __init__(
        self,
        alignment: AlignmentProgram,
        guess: Callable[[Distribution, tuple[Any, ...]], Any],
        lines: set[int],
        deadline: Deadline = NEVER,
    ) -> None:
        super().__init__(alignment.mechanism, {})
        self.program = alignment.mechanism.program
        self.guess = guess
        self.lines = lines
        self.tick = deadline.check

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        return self.guess(distribution, arguments)

    def counted(self, numbers: WholeNumbers, place: Place) -> WholeNumbers:
        if op.count(numbers) > MOST_COUNTED:
            raise InputError(f"line {place.line}: a range of {op.count(numbers)} numbers takes too long to be tried")
        return numbers

    def emit(self, value: Any, place: Place) -> Any:
        self.lines.add(place.line)
        return super().emit(value, place)

    def note_return(self, run: Run) -> None:
        """Collect the line at which a function that is no generator gave its output, once the run is over."""
        if run.defined and not self.program.is_generator:
            self.lines.add((run.place or self.program.place).line)


def replayed(alignment: AlignmentProgram, candidate: Witness, deadline: Deadline = NEVER) -> AlignedRun | None:
    """The aligned run of a candidate; None where noise is missing, values are of no such type, or answers not adjacent.
    """
    try:
        check_adjacent(alignment.adjacency, alignment.mechanism, candidate.values, candidate.values_)
        context = ReplayContext(alignment.mechanism, exact_noise(dict(candidate.H)))
        context.tick = deadline.check
        return run_both(alignment, candidate, context)
    except InputError:
        return None


def convicts(alignment: AlignmentProgram, candidate: Witness, deadline: Deadline = NEVER) -> AlignedRun | None:
    """The candidate's trial where it breaks the proof and goes on doing so when the noise moves a little.

    A failure at a tie alone has probability 0 and refutes nothing: moved off the tie in a direction chosen at
    random, it is gone. A run on D that is undefined does not count: it has no output to keep. Raises OutOfTime where
    the deadline passes meanwhile.
    """
    trial = replayed(alignment, candidate, deadline)
    if trial is None or trial.violation is None or not trial.run.defined or trial.close:
        return None
    for scale in MOVED_BY:
        near_by = (
            replayed(alignment, candidate.with_noise(moved_slightly(trial.run, scale, random.Random(seed))), deadline)
            for seed in range(PERTURBATIONS)
        )
        if all(_breaks_alike(trial, again) for again in near_by):
            return trial
    return None


def costs_nearby(
    alignment: AlignmentProgram, candidate: Witness, trial: AlignedRun, deadline: Deadline = NEVER
) -> bool:
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
        if again.outside is not None:
            return False
        if abs(again.cost - trial.cost) > abs(trial.cost) * _ABOUT:
            return False
    return True


def _breaks_alike(trial: AlignedRun, again: AlignedRun | None) -> bool:
    """Whether a trial on noise moved a little breaks the same condition, with as many draws."""
    return (
        again is not None
        and not again.close
        and again.violation is not None
        and trial.violation is not None
        and again.violation.condition == trial.violation.condition
        and len(again.run.drawn) == len(trial.run.drawn)
    )


def moved_slightly(run: Run, distance: Fraction, source: random.Random) -> dict[str, Any]:
    """A run's noise, each continuous coordinate moved at random by up to ``distance``; the others stay."""
    noise = run.noise
    for drawn in run.drawn:
        if drawn.distribution.support.continuous:
            step = distance * Fraction(source.randint(-(10**6), 10**6), 10**6)
            inside = drawn.distribution.contains(drawn.value + step, *drawn.arguments)
            moved = drawn.value + (step if inside else -step)
            noise[drawn.where] = drawn.distribution.possible(moved, *drawn.arguments)
    return by_name(noise)


def coordinates(value: Any, indices: str = "") -> Iterator[tuple[str, Any]]:
    """The numbers in nested tuples, each with its indices, such as ``[0][2]``; None is left out."""
    if isinstance(value, tuple):
        for i, part in enumerate(value):
            yield from coordinates(part, f"{indices}[{i}]")
    elif value is not None:
        yield indices, value
