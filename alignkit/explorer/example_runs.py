"""Small pairs of runs of an alignment: to begin a page with, and to hold its scripts against Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import islice

from alignkit.errors import InputError
from alignkit.language.parameters import Epsilon, Eta
from alignkit.refuting.convicting import GuessingContext
from alignkit.refuting.random_search import small_noise
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import largest_change, random_pairs
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.both_runs import AlignedRun, run_both

# Among so many small runs the one to begin with is chosen.
_TRIED = 300

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
    """Inputs and noise to begin with: few, plain numbers, and shifts that cost something; None where there are none."""
    runs = [
        (witness, trial)
        for witness, trial in islice(small_runs(alignment, seed), _TRIED)
        if trial.run.defined and trial.violation is None and trial.outside is None
    ]
    if not runs:
        return None
    budgets = [n for n, kind in alignment.mechanism.public.items() if isinstance(kind, Epsilon | Eta)]
    return max(runs, key=lambda run: _merit(run[0], run[1], budgets))[0]


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
