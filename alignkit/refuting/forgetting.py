"""Noise that an alignment forgets: moved by itself, it changes neither the output nor where the noise is moved to.

This is the plainest way not to be one-to-one, and needs no solver: a run is tried again with one coordinate moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, Undefined
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.candidates import Candidate, replayed
from alignkit.refuting.collisions import Collision, close_by, collide
from alignkit.running.aligned import Trial, as_vector
from alignkit.running.alignment import Alignment
from alignkit.running.replaying import ReplayContext, alike, evaluate, exact_noise
from alignkit.running.trials import shifts_for

# How far a coordinate is moved.
STEP = Fraction(1, 997)


def forgotten(
    alignment: Alignment, trials: Iterable[tuple[Candidate, Trial]], deadline: Deadline = NEVER
) -> Collision | None:
    """Two noise vectors, one coordinate apart, that come to one; noise close to the first has such a partner too.

    They are looked for next to ``trials`` that break nothing.
    """
    for candidate, trial in trials:
        for number, drawn in enumerate(trial.run.drawn):
            if deadline.passed:
                return None
            if not drawn.distribution.support.continuous or not trial.shifts.get(drawn.where):
                continue  # where a shift is 0 the image moves with the noise
            found = Collision(candidate, _apart(trial, number))
            if not _comes_to(alignment, found, trial):
                continue
            if collide(alignment, found) and all(_partner(alignment, found, n, number) for n in close_by(trial)):
                return found
    return None


def _comes_to(alignment: Alignment, found: Collision, trial: Trial) -> bool:
    """Whether the other noise gives a trial's output and is moved to its image: D and the alignment alone tell."""
    mechanism, candidate = alignment.mechanism, found.candidate
    try:
        run = evaluate(mechanism, candidate.values, ReplayContext(mechanism, exact_noise(dict(found.other))))
        if not run.defined or not alike(run.output, trial.run.output):
            return False
        shifts = shifts_for(alignment, candidate.values, candidate.values_, run)
    except (InputError, Undefined):
        return False
    return {d.where: d.value + shifts[d.where] for d in run.drawn} == trial.noise_


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
