"""Noise that an alignment forgets: moved by itself, it changes neither the output nor where the noise is moved to.

This is the plainest way not to be one-to-one, and needs no solver: a run is tried again with one coordinate moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, Undefined
from alignkit.limits import NEVER, Deadline
from alignkit.refuting.collided_runs import Collision, collide
from alignkit.refuting.collisions import close_by
from alignkit.refuting.convicting import replayed
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import AlignmentContext, shifts_for
from alignkit.running.both_runs import AlignedRun
from alignkit.running.replaying import ReplayContext, alike, by_name, exact_noise, run_program

# How far a coordinate is moved.
STEP = Fraction(1, 997)


def forgotten(
    alignment: AlignmentProgram, trials: Iterable[tuple[Witness, AlignedRun]], deadline: Deadline = NEVER
) -> Collision | None:
    """Two noise vectors, one coordinate apart, that come to one; noise close to the first has such a partner too.

    They are looked for next to ``trials`` that break nothing.
    """
    if alignment.lemmas:
        return None  # the image of a call's noise depends on the runs on D and on D′, and not on the alignment alone
    for witness, trial in trials:
        for number, drawn in enumerate(trial.run.drawn):
            if deadline.passed:
                return None
            if not drawn.distribution.support.continuous or not trial.shifts.get(drawn.where):
                continue  # where a shift is 0 the image moves with the noise
            pair = Collision(witness, _apart(trial, number))
            if not _comes_to(alignment, pair, trial):
                continue
            if collide(alignment, pair) and all(_partner(alignment, pair, n, number) for n in close_by(trial)):
                return pair
    return None


def _comes_to(alignment: AlignmentProgram, pair: Collision, trial: AlignedRun) -> bool:
    """Whether the other noise gives a trial's output and is moved to its image: D and the alignment alone tell."""
    context = ReplayContext(alignment.mechanism, exact_noise(dict(pair.other)))
    try:
        run = run_program(alignment.mechanism, pair.witness.values, context)
        if not run.defined or not alike(run.output, trial.run.output):
            return False
        shifts = shifts_for(alignment, pair.witness, run, AlignmentContext(run.H))
    except (InputError, Undefined):
        return False
    return {d.where: d.value + shifts[d.where] for d in run.drawn} == trial.noise_


def _apart(trial: AlignedRun, number: int) -> dict[str, Any]:
    """The noise of a run with one coordinate moved."""
    drawn = trial.run.drawn[number]
    return by_name({**trial.run.noise, drawn.where: drawn.value + STEP})


def _partner(alignment: AlignmentProgram, pair: Collision, noise: Mapping[str, Any], number: int) -> bool:
    """Whether other noise has a partner at the same coordinate."""
    witness = pair.witness.with_noise(noise)
    trial = replayed(alignment, witness)
    if trial is None or not trial.run.defined or number >= len(trial.run.drawn):
        return False
    return collide(alignment, Collision(witness, _apart(trial, number))) is not None
