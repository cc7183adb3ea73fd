"""One concrete trial of a proof: D with H, then D′ with φ(H), and what it violates.

The shifts of the noise of calls: in a concrete run they are those that the lemma of the call gives.

A proof by lemmas knows no more of a call than its claim. In a run the lemma itself moves the callee's noise, so that
the run on D′ exists and can be held against that of D.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, Stopped, Undefined
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import nearly_equal
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import MechanismCall, Place
from alignkit.noise import CHOICE, Distribution
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import AlignmentContext, broken_limit, returned_for, spread
from alignkit.running.binding import exact_arguments
from alignkit.running.claims import OMEGA
from alignkit.running.enclosing import enclosed_above
from alignkit.running.replaying import CalledRun, DrawnNoise, RecordingContext, Run, alike, by_name, run_program
from alignkit.running.shift_costs import costs_of_shifts, dearest, in_words, is_least, total_cost


class CallShifts:
    """The shifts of the noise of calls on D, computed call by call while D′ is run.

    ``outside`` names the first limit of a lemma that the noise breaks: the lemma need not be right there.
    """

    def __init__(self, alignment: AlignmentProgram, run: Run) -> None:
        self.mechanism = alignment.mechanism
        self.lemmas = alignment.lemmas
        self.run = run
        self.shifts: dict[Coordinate, Any] = {}
        self.outside: str | None = None

    @contextmanager
    def within(
        self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]
    ) -> Iterator[Mapping[Coordinate, Any]]:
        """The shifts of a call that D′ makes with these arguments; inside, calls go by the lemmas of its lemma."""
        lemma = next((lemma for lemma in self.lemmas if lemma.mechanism is node.mechanism), None)
        if lemma is None:
            yield {}
            return
        path = (*evaluator.path, node.site)
        of_d = self.run.called.get((path, evaluator.iteration))
        if of_d is None:
            raise Stopped(f"D' calls {node.function.name}, but D does not", node.place)
        shifts = self._shifts(lemma, of_d, arguments, path, len(evaluator.iteration))
        self.shifts |= shifts
        outer, self.lemmas = self.lemmas, lemma.lemmas
        try:
            yield shifts
        finally:
            self.lemmas = outer

    def _shifts(
        self, lemma: AlignmentProgram, of_d: CalledRun, given: tuple[Any, ...], path: tuple[int, ...], depth: int
    ) -> dict[Coordinate, Any]:
        callee = lemma.mechanism
        names = callee.program.parameters
        values = dict(zip(names, of_d.arguments, strict=True))
        values_ = dict(zip(names, given, strict=True))
        del values[callee.noise_name], values_[callee.noise_name]
        drawn = self.run.drawn[of_d.first : of_d.last]
        if alike(tuple(values.values()), tuple(values_.values())):
            return {draw.where: 0 for draw in drawn}
        inside = [draw.key for draw in self.mechanism.draws if draw.path[: len(path)] == path]
        own = dict(zip(inside, (draw.key for draw in callee.draws), strict=True))
        renamed: dict[Coordinate, DrawnNoise] = {
            draw.where: replace(draw, where=Coordinate(own[draw.where.key], draw.where.index[depth:]))
            for draw in drawn
        }
        inner = Run(of_d.output, tuple(renamed.values()), "return", None)
        try:
            returned = returned_for(lemma, Witness.of(callee, values, values_), inner, AlignmentContext(inner.H))
            broken = broken_limit(lemma, returned, inner)
            if broken is not None:  # said before the shifts, which need not be defined there
                self.outside = self.outside or f"in the call of {callee.name}, {broken}"
            shifts = spread(lemma, returned, inner)
        except Undefined as problem:
            raise Stopped(f"the lemma {lemma.name} is not defined here: {problem.problem}", problem.place) from None
        return {where: shifts[draw.where] for where, draw in renamed.items()}


@dataclass(frozen=True)
class Violation:
    """A condition of the proof that fails in a concrete run, how it fails in words, and the line where it shows."""

    condition: str
    words: str
    place: Place | None


@dataclass(frozen=True)
class AlignedRun:
    """A run on D with the run on D′ that the alignment makes of it, and the condition of the proof that fails there.

    ``run_`` is None where the aligned noise does not exist or is not valid. Where D′ leaves the noise that D drew,
    or is undefined, ``run_`` is not defined and its output is what came before. ``close`` says that rounding may have
    decided which way one of the runs, or the alignment, went: such a pair of runs is no evidence. With ``at_least`` the
    shifts cost ``cost`` or more: some go down where the distribution does not bound the cost of that. ``outside`` names
    a limit of the alignment that the noise breaks: it need not be right there, and nothing that fails is a violation.
    """

    run: Run
    run_: Run | None
    shifts: Mapping[Coordinate, Any]
    cost: Any
    claim: Any
    violation: Violation | None
    close: bool = False
    at_least: bool = False
    outside: str | None = None

    @property
    def noise_(self) -> dict[Coordinate, Any]:
        """φ(H), the aligned noise; empty where the alignment gives none."""
        return {drawn.where: drawn.value + self.shifts[drawn.where] for drawn in self.run.drawn if self.shifts}

    @property
    def H_(self) -> dict[str, Any] | None:
        """φ(H) by the names of the draws; None where the alignment gives none."""
        return None if self.run.drawn and not self.shifts else by_name(self.noise_)

    def witness(self, inputs: Witness) -> Witness:
        """These inputs with the noise of both runs."""
        return replace(inputs, H=self.run.H, H_=self.H_)


class AlignedContext(RecordingContext):
    """D′'s run on the aligned noise; it stops where D′ draws what D did not draw in the same way."""

    def __init__(self, alignment: AlignmentProgram, run: Run, noise: Mapping[Coordinate, Any]) -> None:
        super().__init__(alignment.mechanism)
        self.expected = {drawn.where: drawn for drawn in run.drawn}
        self.noise = dict(noise)
        self.calls = CallShifts(alignment, run)

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        with self.calls.within(evaluator, node, arguments) as shifts:
            for where, shift in shifts.items():
                self.noise[where] = self.expected[where].value + shift
            return evaluator.inlined(node, arguments)

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        expected = self.expected.get(where)
        if expected is None:
            raise Stopped(f"D' draws {where}, but D does not", place)
        same = expected.arguments == arguments
        if distribution is CHOICE and expected.distribution is distribution:
            same = len(expected.arguments[0]) == len(arguments[0])  # what other weights cost shows when the run is over
        if expected.distribution is not distribution or not same:
            raise Stopped(
                f"D draws {where} from {expected.distribution.name}({_list(expected.arguments)}) and D' from "
                f"{distribution.name}({_list(arguments)})",
                place,
            )
        value = int(self.noise[where]) if distribution is CHOICE else self.noise[where]
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


def run_both(alignment: AlignmentProgram, inputs: Witness, context: RecordingContext) -> AlignedRun:
    """Run D in a context that supplies its noise, then D′ on the aligned noise."""
    run = run_program(alignment.mechanism, inputs.values, context)
    claim = claim_value(alignment, inputs.values, run.output) if run.defined or not alignment.ex_post else None
    if not run.defined:
        violation = Violation("termination", f"D has no output: {run.problem}", run.place)
        return AlignedRun(run, None, {}, None, claim, violation, run.close)
    phi = AlignmentContext(run.H)
    phi.tick = context.tick
    outside = None
    try:
        returned = returned_for(alignment, inputs, run, phi)
        outside = broken_limit(alignment, returned, run)
        shifts = spread(alignment, returned, run)
    except Undefined as problem:
        words = f"the alignment is not defined for this run: {problem.problem}"
        trial = AlignedRun(run, None, {}, None, claim, Violation("same_output", words, problem.place))
    else:
        trial = _run_aligned(alignment, inputs, run, shifts, claim, phi)
    if outside is not None:
        trial = replace(trial, outside=outside, violation=None)
    close = phi.close or run.close or (trial.run_ is not None and trial.run_.close)
    return replace(trial, close=True) if close else trial


def _run_aligned(
    alignment: AlignmentProgram,
    inputs: Witness,
    run: Run,
    shifts: dict[Coordinate, Any],
    claim: Any,
    phi: AlignmentContext,
) -> AlignedRun:
    """Run D′ on the shifted noise, and compare it with D's run; ``phi`` is the context in which the alignment ran."""
    trial = _trial(run, shifts, claim)
    violation = _invalid(alignment, trial, trial.run.drawn, phi)
    if violation is not None:
        return replace(trial, violation=violation)
    context = AlignedContext(alignment, run, trial.noise_)
    context.tick = phi.tick
    run_ = run_program(alignment.mechanism, inputs.values_, context)
    trial = _trial(run, {**shifts, **context.calls.shifts}, claim, run_)
    if context.calls.shifts:
        violation = _invalid(alignment, trial, trial.run.drawn, phi)
    violation = violation or _invalid(alignment, trial, run_.drawn, phi) or _violation(alignment, run, run_)
    if violation is None and exceeds(trial.cost, claim, lambda: claim_bound(alignment, inputs.values, run.output)):
        costs = costs_of_shifts(run, trial.shifts, run_)
        place = phi.places.get(dearest(costs) or "", alignment.program.place)
        violation = Violation("cost", in_words(costs, claim, at_least=trial.at_least), place)
    outside = context.calls.outside
    return replace(trial, run_=run_, violation=violation if outside is None else None, outside=outside)


def _trial(run: Run, shifts: Mapping[Coordinate, Any], claim: Any, run_: Run | None = None) -> AlignedRun:
    cost = total_cost(costs_of_shifts(run, shifts, run_))
    return AlignedRun(run, None, shifts, cost, claim, None, at_least=is_least(run, shifts))


def _invalid(
    alignment: AlignmentProgram, trial: AlignedRun, draws: tuple[DrawnNoise, ...], phi: AlignmentContext
) -> Violation | None:
    """The aligned noise that its distribution cannot give, if there is some, by the ``draws`` of D or of D′.

    Whether an outcome has a weight, those of D′ say.
    """
    noise_ = trial.noise_
    for drawn in draws:
        arguments = drawn.arguments
        if draws is trial.run.drawn and drawn.distribution is CHOICE:
            arguments = ((1,) * len(arguments[0]),)
        if not drawn.distribution.contains(noise_[drawn.where], *arguments):
            words = (
                f"the aligned {drawn.where} is {noise_[drawn.where]}, outside the support of "
                f"{drawn.distribution.name} noise ({drawn.distribution.support.value})"
            )
            place = phi.places.get(drawn.where.key, alignment.program.place)
            return Violation("valid_noise", words, place)
    return None


def _violation(alignment: AlignmentProgram, run: Run, run_: Run) -> Violation | None:
    """The first condition on the two runs that fails, in the order in which it shows: output, noise."""
    parted = _parting(alignment, run, run_)
    if parted is not None:
        return parted
    if run_.ended.startswith("stopped"):
        return Violation("noise_used", run_.problem, run_.place)
    if not run_.defined:
        return Violation("same_output", f"D' has no output: {run_.problem}", run_.place)
    used = {drawn.where for drawn in run_.drawn}
    for drawn in run.drawn:
        if drawn.where not in used:
            return Violation("noise_used", f"D draws {drawn.where}, but D' does not", drawn.place)
    return None


def _parting(alignment: AlignmentProgram, run: Run, run_: Run) -> Violation | None:
    """Where the outputs part: at the first that D' gives otherwise than D, or that only one of them gives.

    A run on D' that is not defined gives what it gave before; whether D gives more is left open.
    """
    one, other = run.output, run_.output
    if not alignment.mechanism.program.is_generator:
        if not run_.defined or alike(one, other, up_to_rounding=True):
            return None
        words = f"the output is {_shown(one)} on D and {_shown(other)} on D'"
        return Violation("same_output", words, run_.place or run.place)
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if not alike(a, b, up_to_rounding=True):
            words = f"output[{i}] is {_shown(a)} on D and {_shown(b)} on D'"
            return Violation("same_output", words, run_.emitted_at[i])
    if len(other) > len(one) or (run_.defined and len(other) < len(one)):
        words = f"D gives {_outputs(len(one))} and D' {_outputs(len(other))}"
        longer = run_ if len(other) > len(one) else run
        return Violation("same_output", words, longer.emitted_at[min(len(one), len(other))])
    return None


def _outputs(count: int) -> str:
    return "1 output" if count == 1 else f"{count} outputs"


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_shown, value)) + ("," if len(value) == 1 else "") + ")"
    return str(value)


def exceeds(cost: Any, claim: Any, bound: Callable[[], Fraction | None]) -> bool:
    """Whether a cost is above the claim, or its bound where the claim is a float; floats only by more than rounding."""
    if isinstance(claim, float) and not isinstance(cost, float):
        highest = bound()
        if highest is not None:
            return bool(cost > highest)
    inexact = isinstance(cost, float) or isinstance(claim, float)
    return bool(cost > claim) and not (inexact and nearly_equal(cost, claim))


def claim_value(alignment: AlignmentProgram, values: Mapping[str, Any], output: Any) -> Any:
    """The claim as a number, for given arguments of the mechanism and, where it is ex-post, the output."""
    arguments = {**exact_arguments(alignment.mechanism, values), OMEGA: output}
    try:
        return Evaluator(Context({})).number(alignment.claim_expression, arguments)
    except Undefined as problem:
        raise InputError(f"the claim {alignment.claim!r} has no value for this run: {problem.problem}") from None


def claim_bound(alignment: AlignmentProgram, values: Mapping[str, Any], output: Any) -> Fraction | None:
    """A fraction that the claim does not exceed, where it is made of roots and logarithms of exact numbers."""
    arguments = {**exact_arguments(alignment.mechanism, values), OMEGA: output}
    return enclosed_above(lambda context: Evaluator(context).number(alignment.claim_expression, arguments))


def _list(arguments: tuple[Any, ...]) -> str:
    return ", ".join(str(a) for a in arguments)
