"""A trial as a user asks for it, run through the user's own functions with the evaluator as a check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from alignkit.errors import InputError, InternalError
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment import Alignment
from alignkit.running.noise_vector import NoiseVector
from alignkit.running.replaying import (
    UNDEFINED,
    ReplayContext,
    Run,
    check_noise,
    exact_noise,
    read_noise,
    run_python,
)
from alignkit.running.trials import (
    Trial,
    Violation,
    alignment_arguments,
    as_vector,
    attempt,
    compare,
    same_output,
    spread,
)

__all__ = [
    "AlignedReplay",
    "Trial",
    "Violation",
    "as_vector",
    "attempt",
    "compare",
    "confirm",
    "replay_aligned",
    "same_output",
]


class AlignedReplay:
    """A concrete trial as a user asks for it; printing it shows both runs side by side.

    ``cost`` and ``claim`` are exact for exact inputs; ``output`` and ``output_`` are what D and D′ gave;
    ``violation`` is the condition of the proof that fails here, or None. Where noise such as Gumbel noise, whose shifts
    down have no bound, is shifted down, the shifts cost ``cost`` or more, and printing says so.
    """

    def __init__(
        self, alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], trial: Trial
    ) -> None:
        self.alignment = alignment
        self.values = dict(values)
        self.values_ = dict(values_)
        self.trial = trial

    @property
    def cost(self) -> Any:
        return self.trial.cost

    @property
    def claim(self) -> Any:
        return self.trial.claim

    @property
    def output(self) -> Any:
        return self.trial.run.output

    @property
    def output_(self) -> Any:
        return None if self.trial.run_ is None else self.trial.run_.output

    @property
    def violation(self) -> Violation | None:
        return self.trial.violation

    def __repr__(self) -> str:
        from alignkit.running.tables import table

        return table(self)


def replay_aligned(
    alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], noise: Mapping[str, Any]
) -> AlignedReplay:
    """One trial through the user's own functions, mechanism and alignment, with the evaluator as a check."""
    check_adjacent(alignment.adjacency, alignment.mechanism, values, values_)
    vector = exact_noise(read_noise(alignment.mechanism, noise))
    trial = attempt(alignment, values, values_, ReplayContext(alignment.mechanism, vector))
    check_noise(alignment.mechanism, values, vector)
    confirm(alignment, values, values_, trial)
    return AlignedReplay(alignment, values, values_, trial)


def confirm(alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], trial: Trial) -> None:
    """Run the trial through Python itself; InternalError where Python does not do what the evaluator did."""
    _run(alignment, values, trial.run)
    if not trial.run.defined:
        return
    aligned = bool(trial.shifts) or trial.run_ is not None
    arguments = alignment_arguments(alignment, values, values_, trial.run.output)
    lists = {n: list(v) if isinstance(v, tuple) else v for n, v in arguments.items()}
    lists["H"] = NoiseVector(as_vector(trial.run))
    try:
        shifts = spread(alignment, alignment.exact(**lists), trial.run)
    except (*UNDEFINED, TypeError, AttributeError) as problem:
        if aligned:
            raise InternalError(f"Python cannot run the alignment where the evaluator can: {problem}") from problem
        return
    if not aligned:
        raise InternalError("Python runs the alignment where the evaluator cannot")
    if shifts != trial.shifts:
        raise InternalError(f"Python's alignment gives {shifts} and the evaluator's {dict(trial.shifts)}")
    if trial.run_ is not None and not trial.run_.ended.startswith("stopped"):
        _run(alignment, values_, trial.run_)


def _run(alignment: Alignment, values: Mapping[str, Any], run: Run) -> None:
    try:
        run_python(alignment.mechanism, values, run)
    except InputError:
        if run.defined:
            raise
