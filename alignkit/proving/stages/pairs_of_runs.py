"""The stages that compare two runs: D and the alignment on one noise vector, then again on another.

The two runs have one output. Where they also have one image, their noise must be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import Infeasible, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Returned
from alignkit.proving.conditions import noise_used
from alignkit.proving.conditions.one_to_one import by_pairs
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.returned_output import output_read
from alignkit.proving.runs.alignment_run import AligningContext, Shifts, noise_drawn
from alignkit.proving.runs.second_run import SecondAligningContext, SecondRunContext, assume_same
from alignkit.proving.runs.seen_output import seen
from alignkit.proving.stages.single_runs import output_of_d, run_whole_d
from alignkit.proving.symbolic_trial import AtLoop, Ended, SymbolicTrial
from alignkit.proving.vectors.rankings import agree_where_named
from alignkit.running.draws import called_mechanisms

# From an alignment's context to the output as that alignment sees it.
Omega = Callable[[AligningContext], Any]


def pair_of_runs(trial: SymbolicTrial) -> None:
    """Two whole runs."""
    run_whole_d(trial)
    _compare_whole(trial)


def pair_to_the_loop(trial: SymbolicTrial, plan: LoopPlan) -> None:
    """Two runs of a program with a loop that draws no noise: they are compared where they reach it.

    What the outputs name is the same in both runs, since it is obliged of every iteration that its output names the
    position at its rank; more of their being equal is not used.
    """
    at = trial.run_d()
    if isinstance(at, Ended):
        return _compare_whole(trial)
    stream = output_read(trial, at, plan)
    if not trial.run.families:
        raise Unsupported("a loop over the queries in an alignment by pieces", trial.place)
    shifts = _align_first(trial, stream.seen)
    names = tuple(stream.named.values())
    second = SecondRunContext(trial.owed, trial.run, lambda ranking: stream.length if ranking in names else None)
    again = trial.advance(Evaluator(second), trial.arguments(trial.inputs.values))
    if not isinstance(again, AtLoop):
        raise Infeasible
    _compare(trial, second, shifts, stream.seen)


def _compare_whole(trial: SymbolicTrial) -> None:
    """D again, where it is over, and both runs held against each other."""
    output = output_of_d(trial)
    shifts = _align_first(trial, lambda context: seen(output))
    second = SecondRunContext(trial.owed, trial.run)
    at = trial.advance(Evaluator(second), trial.arguments(trial.inputs.values))
    if not isinstance(at, Ended):
        raise Unsupported("a loop over the queries in an alignment by pieces", at.node.place)
    if not trial.mechanism.program.is_generator:
        second.emit(at.signal.value if isinstance(at.signal, Returned) else None, trial.place)
    values, others = (tuple(e.value for e in run.emitted) for run in (trial.run, second))
    assume_same(trial.facts, values, others, trial.place)
    agree_where_named(trial.facts, values, others)
    _compare(trial, second, shifts, lambda context: seen(output))


def _align_first(trial: SymbolicTrial, omega: Omega) -> Shifts:
    """The alignment on the first noise vector."""
    for node in called_mechanisms(trial.mechanism.program):
        if trial.run.lemmas.of(node) is not None:
            raise Unsupported("a call by its lemma, in an alignment that is one-to-one by pieces", node.place)
    noise_used.one_density(trial.record.varying)
    context = AligningContext(trial.owed, noise_drawn(trial.run), trial.run.continuous)
    trial.serving = "same_output"
    shifts = trial.align(omega(context), context)
    trial.serving = "one_to_one"
    return shifts


def _compare(trial: SymbolicTrial, second: SecondRunContext, shifts: Shifts, omega: Omega) -> None:
    """The alignment on the second noise vector; where both images are the same, so must be the noise."""
    facts, owed, run, place = trial.facts, trial.owed, trial.run, trial.place
    # What was selected, and the extrema, are enough here; the order of any two positions would be most of what is said.
    with facts.without_pairs():
        if not by_pairs.same_draws(run, second):
            owed.exclude("one_to_one", place, "the same output comes with different draws")
            return
        owed.settled("one_to_one", place, "runs with the same output make the same draws")
        context = SecondAligningContext(owed, by_pairs.other_noise(second), second.continuous)
        others = trial.align(omega(context), context)
        by_pairs.assume_same_images(owed, run, second, shifts, others, place)
        trial.record.pair = facts.hypotheses()
        trial.must_be_possible()
        by_pairs.same_noise(owed, run, second, place)
