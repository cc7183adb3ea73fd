"""One aligned run through the user's own functions, mechanism and alignment, with the evaluator as a check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alignkit.errors import InputError, InternalError
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.aligned_replay import AlignedReplay
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import alignment_arguments, broken_limit, spread
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.lemma_definitions import moved_by_lemmas
from alignkit.running.lengths import check_lengths
from alignkit.running.noise_vectors import NoiseVector
from alignkit.running.replaying import UNDEFINED, ReplayContext, Run, read_noise, run_python


def replay_aligned(alignment: AlignmentProgram, inputs: Witness, noise: Mapping[str, Any]) -> AlignedReplay:
    """Run D with the noise, then D′ with the aligned noise, for a user: what is wrong with either is an InputError."""
    check_adjacent(alignment.adjacency, alignment.mechanism, inputs.values, inputs.values_)
    vector = read_noise(alignment.mechanism, noise)
    trial = run_both(alignment, inputs, ReplayContext(alignment.mechanism, vector))
    check_lengths(alignment.mechanism, inputs.values, vector)
    confirm_run(alignment, inputs, trial)
    return AlignedReplay(alignment, trial.witness(inputs), trial)


def confirm_run(alignment: AlignmentProgram, inputs: Witness, trial: AlignedRun) -> None:
    """Run the trial through Python itself; InternalError where Python does not do what the evaluator did."""
    _run(alignment, inputs.values, trial.run)
    if not trial.run.defined:
        return
    aligned = bool(trial.shifts) or trial.run_ is not None
    arguments = alignment_arguments(alignment, inputs, trial.run.output)
    lists = {n: list(v) if isinstance(v, tuple) else v for n, v in arguments.items()}
    lists["H"] = NoiseVector(trial.run.H)
    try:
        returned = alignment.exact(**lists)
        broken = broken_limit(alignment, returned, trial.run)
        shifts = spread(alignment, returned, trial.run)
    except (*UNDEFINED, TypeError, AttributeError) as problem:
        if aligned:
            raise InternalError(f"Python cannot run the alignment where the evaluator can: {problem}") from problem
        return
    if broken is not None and trial.outside is None:
        raise InternalError(f"Python's alignment has a limit that is broken, and the evaluator's has none: {broken}")
    if not aligned:
        raise InternalError("Python runs the alignment where the evaluator cannot")
    moved = moved_by_lemmas(alignment.mechanism, alignment.lemmas)
    own = {where: shift for where, shift in trial.shifts.items() if where.key not in moved}
    if {where: shift for where, shift in shifts.items() if where.key not in moved} != own:
        raise InternalError(f"Python's alignment gives {shifts} and the evaluator's {dict(trial.shifts)}")
    if trial.run_ is not None and not trial.run_.ended.startswith("stopped"):
        _run(alignment, inputs.values_, trial.run_)


def _run(alignment: AlignmentProgram, values: Mapping[str, Any], run: Run) -> None:
    try:
        run_python(alignment.mechanism, values, run)
    except InputError:
        if run.defined:
            raise
