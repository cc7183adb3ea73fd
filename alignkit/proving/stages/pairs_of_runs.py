"""The stages that compare two runs: D and the alignment on one noise vector, then again on another.

The two runs have one output. Where they also have one image, their noise must be the same.

One-to-one, by the definition: two noise vectors that give one output and one image are the same vector.

D is run a second time on another noise vector, and so is the alignment, with the same output. That the outputs and
the images are equal is taken as given; that the noise is equal, at every coordinate, is obliged. Each way that the
two runs may go, and with it every pair of pieces of the alignment, is a path of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alignkit.errors import Infeasible, Unsupported
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.values import Returned
from alignkit.language.program import Place
from alignkit.proving.conditions import noise_used
from alignkit.proving.facts.fact_origins import FactOrigin
from alignkit.proving.facts.ranges import within
from alignkit.proving.loops.invariants import LoopPlan
from alignkit.proving.loops.returned_output import output_read
from alignkit.proving.obligation import Obligations
from alignkit.proving.runs.alignment_run import AligningContext, Shifts, noise_drawn
from alignkit.proving.runs.run_on_d import RunContext
from alignkit.proving.runs.second_run import OTHER, SecondAligningContext, SecondRunContext, assume_same
from alignkit.proving.runs.seen_output import seen
from alignkit.proving.stages.single_runs import output_of_d, run_whole_d
from alignkit.proving.symbolic_trial import AtLoop, Ended, SymbolicTrial
from alignkit.proving.vectors.selections import agree_where_named
from alignkit.running.draws import called_mechanisms
from alignkit.symbolic.formulas import implies

WORDS = "two noise vectors with the same output and the same image are equal"


def same_draws(run: RunContext, second: SecondRunContext) -> bool:
    """Whether two runs draw the same coordinates from the same distributions."""
    one = [(d.where, d.distribution) for d in run.drawn]
    other = [(d.where, d.distribution) for d in second.drawn]
    families = [(f.key + OTHER, f.distribution) for f in run.families]
    return one == other and families == [(f.key, f.distribution) for f in second.families]


def other_noise(second: SecondRunContext) -> dict[str, Any]:
    """The other noise vector as the alignment sees it, under the names of the first."""
    return {name.removesuffix(OTHER): drawn for name, drawn in noise_drawn(second).items()}


def assume_same_images(
    owed: Obligations, run: RunContext, second: SecondRunContext, shifts: Shifts, others: Shifts, place: Place
) -> None:
    """Take as known that the alignment moves both noise vectors to one; as many coordinates are obliged."""
    for one, other in zip(run.drawn, second.drawn, strict=True):
        image = one.value + shifts.of(one)
        owed.facts.assume(image.compare("==", other.value + others.of(one)), FactOrigin.PAIR)
    for family, family_ in zip(run.families, second.families, strict=True):
        as_many = family.length.compare("==", family_.length)
        owed.lemma("one_to_one", as_many, place, f"runs with the same output draw {family.key} equally often")

        def same_image(i: Any, family: Any = family, family_: Any = family_) -> Any:
            image = family.value(i) + shifts.of_family(family, i)
            equal = image.compare("==", family_.value(i) + others.of_family(family, i))
            return implies(within(i, family.length), equal)

        owed.facts.universal(same_image, FactOrigin.PAIR)


def same_noise(owed: Obligations, run: RunContext, second: SecondRunContext, place: Place) -> None:
    """Oblige both noise vectors to be equal at every coordinate."""
    for one, other in zip(run.drawn, second.drawn, strict=True):
        same = one.value.compare("==", other.value)
        owed.lemma("one_to_one", same, place, f"{WORDS} at {one.where}")
    for family, family_ in zip(run.families, second.families, strict=True):
        index = owed.facts.indices.fresh(f"index of {family.key} at which two noise vectors are compared")
        same = family.value(index).compare("==", family_.value(index))
        inside = [within(index, family.length)]
        owed.oblige("one_to_one", same, place, f"{WORDS} at {family.key}[i]", given=inside)
    if not run.drawn and not run.families:
        owed.oblige("one_to_one", True, place, "no noise is drawn")


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
        if not same_draws(run, second):
            owed.exclude("one_to_one", place, "the same output comes with different draws")
            return
        owed.settled("one_to_one", place, "runs with the same output make the same draws")
        context = SecondAligningContext(owed, other_noise(second), second.continuous)
        others = trial.align(omega(context), context)
        assume_same_images(owed, run, second, shifts, others, place)
        trial.record.pair = facts.hypotheses()
        trial.must_be_possible()
        same_noise(owed, run, second, place)
