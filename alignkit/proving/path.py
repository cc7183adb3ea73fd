"""One path through D, the alignment and D′: from the program's start to its end, or to where the path ends early."""

from __future__ import annotations

from collections.abc import Callable

from alignkit.errors import Infeasible, Parted, Undefined, Unsupported
from alignkit.proving.conditions.injective import run_pair
from alignkit.proving.inputs import Inputs
from alignkit.proving.invariants import Plan
from alignkit.proving.ledger import Shared
from alignkit.proving.looping import Looping
from alignkit.proving.straight import run_straight
from alignkit.proving.trial import Ended, Part, Record, Trial
from alignkit.running.alignment_decorator import Alignment
from alignkit.symbolic.paths import Path


def run_path(
    alignment: Alignment,
    inputs: Inputs,
    plan: Plan | None,
    part: Part,
    path: Path,
    tick: Callable[[], object],
    shared: Shared | None = None,
) -> Record:
    """What a path gives rise to. However it ends, the obligations from before its end stand."""
    trial = Trial(alignment, inputs, plan, part, path, tick, shared)
    try:
        _run(trial)
    except Parted as parted:
        trial.ledger.oblige(parted.condition, False, parted.place, parted.words)
    except Undefined as problem:
        # Asked again where a requirement has asked already: not every way of being undefined comes with one.
        trial.ledger.oblige(trial.running, False, problem.place, f"the run is defined: {problem.problem}")
    except Infeasible:
        pass
    finally:
        trial.ledger.over()
    return trial.record


def _run(trial: Trial) -> None:
    names = trial.arguments(trial.inputs.values)
    at = trial.advance(trial.evaluator, names, 0)
    if isinstance(at, Ended):
        trial.finish_run(at.signal)
        if trial.part is Part.PAIRS:
            run_pair(trial)
        elif trial.part is not Part.PREVIEW:
            run_straight(trial)
    elif trial.part is Part.PREVIEW:
        Looping(trial, at, names).preview()
    elif trial.part is Part.PAIRS:
        Looping(trial, at, names).pair()
    elif trial.part is Part.PIECES:
        raise Unsupported("a loop over the queries in an alignment by pieces", at.node.place)
    else:
        Looping(trial, at, names).run()
