"""One-to-one, by the definition: two noise vectors that give one output and one image are the same vector.

D is run a second time on another noise vector, and so is the alignment, with the same output. That the outputs and
the images are equal is taken as given; that the noise is equal, at every coordinate, is obliged. Each way that the
two runs may go, and with it every pair of pieces of the alignment, is a path of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from alignkit.interpreting.exploring import Infeasible
from alignkit.proving.aligning import AligningContext, Shifts, noise_vector
from alignkit.proving.conditions.pieces import continuous_keys
from alignkit.proving.events import within
from alignkit.proving.omega import seen
from alignkit.proving.rankings import agree_where_named
from alignkit.proving.second import OTHER, SecondAligningContext, SecondRunContext, assume_same
from alignkit.running.evaluator import Evaluator, Returned
from alignkit.running.values import Unsupported
from alignkit.symbolic.formulas import implies

if TYPE_CHECKING:
    from alignkit.proving.trial import Trial

WORDS = "two noise vectors with one output and one image are the same"


def run_pair(trial: Trial) -> None:
    """The alignment on the first noise vector, then both again on the second; the two must be one."""
    from alignkit.proving.trial import Ended

    values = [e.value for e in trial.run.emitted]
    output = tuple(values) if trial.mechanism.program.is_generator else values[0]
    shifts = _first(trial, lambda context: seen(output))
    second = SecondRunContext(trial.ledger, trial.run)
    at = trial.advance(Evaluator(second), trial.arguments(trial.inputs.values), 0)
    if not isinstance(at, Ended):
        raise Unsupported("a loop over the queries in an alignment by pieces", at.node.place)
    if not trial.mechanism.program.is_generator:
        value = at.signal.value if isinstance(at.signal, Returned) else None
        second.emit(value, trial.place)
    others = [e.value for e in second.emitted]
    assume_same(trial.ledger, tuple(values), tuple(others), trial.place)
    agree_where_named(trial.ledger, tuple(values), tuple(others))
    _compare(trial, second, shifts, lambda context: seen(output))


def run_pair_to_loop(trial: Trial) -> None:
    """The same for a program with a loop that draws no noise: both runs are compared where they reach it.

    What the outputs name is the same in both runs, since it is obliged of every iteration that its output names the
    position at its rank; more of their being equal is not used.
    """
    from alignkit.proving.trial import AtLoop

    stream = trial.stream
    if not trial.run.families:
        raise Unsupported("a loop over the queries in an alignment by pieces", trial.place)
    shifts = _first(trial, trial.stream_seen_by)
    names = tuple(stream.named.values())
    second = SecondRunContext(trial.ledger, trial.run, lambda ranking: stream.length if ranking in names else None)
    at = trial.advance(Evaluator(second), trial.arguments(trial.inputs.values), 0)
    if not isinstance(at, AtLoop):
        raise Infeasible
    _compare(trial, second, shifts, trial.stream_seen_by)


def _first(trial: Trial, omega: Callable[[AligningContext], Any]) -> Shifts:
    context = AligningContext(trial.ledger, noise_vector(trial.run))
    context.continuous = continuous_keys(trial.run)
    trial.running = "same_output"
    shifts = trial.align(omega(context), context)
    trial.running = "one_to_one"
    return shifts


def _compare(
    trial: Trial, second: SecondRunContext, shifts: Shifts, omega: Callable[[AligningContext], Any]
) -> None:
    ledger = trial.ledger
    # What was selected, and the extrema, are enough here; the order of any two positions would be most of what is told.
    ledger.universals.of_pairs = False
    if not _same_draws(trial, second):
        ledger.oblige("one_to_one", False, trial.place, "one output comes with different draws")
        return
    context = SecondAligningContext(ledger, _noise(trial, second))
    context.continuous = frozenset(key + OTHER for key in continuous_keys(trial.run))
    others = trial.align(omega(context), context)
    _same_images(trial, second, shifts, others)
    trial.record.pair = ledger.hypotheses()
    _same_noise(trial, second)


def _same_draws(trial: Trial, second: SecondRunContext) -> bool:
    one = [(d.where, d.distribution) for d in trial.run.drawn]
    other = [(d.where, d.distribution) for d in second.drawn]
    families = [(f.key + OTHER, f.distribution) for f in trial.run.families]
    return one == other and families == [(f.key, f.distribution) for f in second.families]


def _noise(trial: Trial, second: SecondRunContext) -> dict[str, Any]:
    """The other noise vector as the alignment sees it, under the names of the first."""
    noise = noise_vector(second)
    for family in second.families:
        noise[family.key.removesuffix(OTHER)] = noise.pop(family.key)
    return noise


def _same_images(trial: Trial, second: SecondRunContext, shifts: Shifts, others: Shifts) -> None:
    for one, other in zip(trial.run.drawn, second.drawn, strict=True):
        image = one.value + shifts.of(one)
        trial.ledger.assume(image.compare("==", other.value + others.of(one)))
    for family, family_ in zip(trial.run.families, second.families, strict=True):
        as_many = family.length.compare("==", family_.length)
        words = f"one output comes with as many {family.key}"
        trial.ledger.oblige("one_to_one", as_many, trial.place, words)
        trial.ledger.assume(as_many)

        def same(i: Any, family: Any = family, family_: Any = family_) -> Any:
            image = family.value(i) + shifts.of_family(family, i)
            equal = image.compare("==", family_.value(i) + others.of_family(family, i))
            return implies(within(i, family.length), equal)

        trial.ledger.universal(same)


def _same_noise(trial: Trial, second: SecondRunContext) -> None:
    ledger = trial.ledger
    for one, other in zip(trial.run.drawn, second.drawn, strict=True):
        same = one.value.compare("==", other.value)
        ledger.oblige("one_to_one", same, trial.place, f"{WORDS} at {one.where}")
        ledger.assume(same)
    for family, family_ in zip(trial.run.families, second.families, strict=True):
        index = ledger.fresh(f"index of {family.key} at which two noise vectors are compared")
        same = family.value(index).compare("==", family_.value(index))
        ledger.oblige("one_to_one", same, trial.place, f"{WORDS} at {family.key}[i]",
                      given=[within(index, family.length)])  # fmt: skip
    if not trial.run.drawn and not trial.run.families:
        ledger.oblige("one_to_one", True, trial.place, "no noise is drawn")
