"""Noise that an alignment forgets: moved by itself, it changes neither the output nor where the noise is moved to.

This is the plainest way not to be one-to-one, and needs no solver: a run is tried again with one coordinate moved.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

from alignkit.attacking.candidates import Candidate, GuessingContext, replayed
from alignkit.attacking.collisions import Collision, close_by, collide
from alignkit.attacking.pairs import guess, pairs
from alignkit.errors import InputError
from alignkit.running.adjacency import check_adjacent
from alignkit.running.aligned import Trial, as_vector
from alignkit.running.alignment import Alignment
from alignkit.running.trials import attempt

# How many adjacent pairs are tried, and how far a coordinate is moved.
TRIALS = 120
STEP = Fraction(1, 997)


def forgotten(alignment: Alignment, seed: int) -> Collision | None:
    """Two noise vectors, one coordinate apart, that come to one; noise close to the first has such a partner too."""
    for candidate, trial in _trials(alignment, random.Random(seed)):
        for number, drawn in enumerate(trial.run.drawn):
            if not drawn.distribution.support.continuous or not trial.shifts.get(drawn.where):
                continue  # where a shift is 0 the image moves with the noise
            found = Collision(candidate, _apart(trial, number))
            if collide(alignment, found) and all(_partner(alignment, found, n, number) for n in close_by(trial)):
                return found
    return None


def _trials(alignment: Alignment, source: random.Random) -> Iterator[tuple[Candidate, Trial]]:
    for values, values_ in islice(pairs(alignment, source), TRIALS):
        bound = max(Fraction(alignment.mechanism.sensitivity(n, values)) for n in alignment.mechanism.private)
        made_up = GuessingContext(alignment, partial(_made_up, source, bound), set())
        try:
            check_adjacent(alignment.adjacency, alignment.mechanism, values, values_)
            trial = attempt(alignment, values, values_, made_up)
        except InputError:
            continue
        if trial.run.defined and trial.violation is None:
            yield Candidate(values, values_, as_vector(trial.run)), trial


def _made_up(source: random.Random, bound: Fraction, distribution: Any, arguments: tuple[Any, ...]) -> Any:
    return guess(source, distribution, arguments, bound)


def _apart(trial: Trial, number: int) -> dict[str, Any]:
    """A trial's noise with one coordinate moved."""
    drawn = list(trial.run.drawn)
    drawn[number] = replace(drawn[number], value=drawn[number].value + STEP)
    return as_vector(replace(trial.run, drawn=tuple(drawn)))


def _partner(alignment: Alignment, found: Collision, noise: Mapping[str, Any], number: int) -> bool:
    """Whether other noise has a partner at the same coordinate."""
    candidate = replace(found.candidate, noise=noise)
    trial = replayed(alignment, candidate)
    if trial is None or not trial.run.defined or number >= len(trial.run.drawn):
        return False
    return collide(alignment, Collision(candidate, _apart(trial, number))) is not None
