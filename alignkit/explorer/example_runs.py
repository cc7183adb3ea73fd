"""Small pairs of runs of an alignment: to begin a page with, and to hold its scripts against Python."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice
from typing import Any

from alignkit.errors import InputError
from alignkit.interpreting.values import Coordinate, is_number
from alignkit.language.parameters import Epsilon, Eta
from alignkit.language.program import Place
from alignkit.noise import CHOICE, Distribution
from alignkit.refuting.convicting import GuessingContext
from alignkit.refuting.random_search import small_noise
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import largest_change, random_pairs
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.replaying import DrawnNoise, RecordingContext, Run, alike, as_tuples, run_program

# Among so many small runs the one to begin with is chosen.
_TRIED = 300

# Of so many of the best it is asked whether a tie decides them, by moving their noise as often and as far.
_BEST, _NEARBY, _MOVED_BY = 40, 4, Fraction(1, 1000)

# Numbers that are put out follow the noise, and change by no more than this.
_FOLLOWS = Fraction(1, 10)

# Noise with a larger denominator than this is not easy to read.
_DENOMINATOR = 2

# So many draws are enough for a first look.
_DRAWS = 3


def small_runs(alignment: Alignment, seed: int = 0) -> Iterator[tuple[Witness, AlignedRun]]:
    """Random adjacent inputs with small noise, each with both runs; without end where inputs of the kind exist."""
    source = random.Random(seed)
    mechanism = alignment.mechanism
    for inputs in random_pairs(mechanism, alignment.adjacency, source):
        bound = max(largest_change(mechanism, name, inputs.public) for name in mechanism.private)
        context = GuessingContext(alignment, partial(small_noise, source, bound), set())
        try:
            check_adjacent(alignment.adjacency, mechanism, inputs.values, inputs.values_)
            trial = run_both(alignment, inputs, context)
        except InputError:
            continue
        yield trial.witness(inputs), trial


# A page of the site asks twice: for its pictures, and for what one explores.
@lru_cache(maxsize=4)
def first_example(alignment: Alignment, seed: int = 0) -> Witness | None:
    """Inputs and noise to begin with: few, plain numbers, and shifts that cost something; None where there are none.

    Where one of the best is not decided by a tie, the best of these is taken.
    """
    runs = [
        (witness, trial)
        for witness, trial in islice(small_runs(alignment, seed), _TRIED)
        if trial.run.defined and trial.violation is None and trial.outside is None
    ]
    if not runs:
        return None
    budgets = [n for n, kind in alignment.mechanism.public.items() if isinstance(kind, Epsilon | Eta)]
    runs.sort(key=lambda run: _merit(run[0], run[1], budgets), reverse=True)
    untied = (run for run in runs[:_BEST] if not _tied(alignment, *run))
    return next(untied, runs[0])[0]


def _merit(witness: Witness, trial: AlignedRun, budgets: list[str]) -> tuple[float, ...]:
    """What makes a first example better: plain numbers, three draws, answers that differ, shifts, a high cost."""
    noise = [drawn.value for drawn in trial.run.drawn]
    answers = [part for value in witness.q.values() for part in (value if isinstance(value, tuple) else (value,))]
    plain = all(Fraction(number).denominator <= _DENOMINATOR for number in (*noise, *answers))
    ones = sum(witness.public[name] == 1 for name in budgets)
    varied = len(set(answers)) > 1 or len(answers) == 1
    moved = sum(shift != 0 for shift in trial.shifts.values())
    share = float(trial.cost) / float(trial.claim) if trial.claim else 0.0
    size = sum(abs(float(number)) for number in (*noise, *answers))
    few = len(noise) <= _DRAWS + 1 and len(answers) <= max(_DRAWS, len(witness.q))
    return (plain, few, ones, min(len(noise), _DRAWS), varied, min(moved, 2), share >= 1, share, -size)


class _NearContext(RecordingContext):
    """A run on noise close to that of another, on its lattice or off it."""

    def __init__(self, alignment: Alignment, noise: Mapping[Coordinate, Any], source: random.Random) -> None:
        super().__init__(alignment.mechanism)
        self.noise, self.source = noise, source

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        value = self.noise.get(where, 0)
        if distribution is not CHOICE:
            value += _MOVED_BY * Fraction(self.source.randint(-(10**6), 10**6), 10**6)
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


def _tied(alignment: Alignment, witness: Witness, trial: AlignedRun) -> bool:
    """Whether one of the runs goes another way, or selects something else, where its noise is moved a little."""
    runs = ((witness.values, trial.run), (witness.values_, trial.run_))
    return any(
        _goes_otherwise(alignment, values, run, random.Random(seed))
        for values, run in runs
        if run is not None
        for seed in range(_NEARBY)
    )


def _goes_otherwise(alignment: Alignment, values: Mapping[str, Any], run: Run, source: random.Random) -> bool:
    try:
        again = run_program(alignment.mechanism, values, _NearContext(alignment, run.noise, source))
    except InputError:  # noise off its lattice need not be what a program takes
        return True
    return len(again.drawn) != len(run.drawn) or not _about_the_same(as_tuples(again.output), as_tuples(run.output))


def _about_the_same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_about_the_same, one, other))
    if is_number(one) and is_number(other):
        return abs(float(one) - float(other)) <= _FOLLOWS
    return alike(one, other)
