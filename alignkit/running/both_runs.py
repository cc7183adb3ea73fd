"""One concrete trial of a proof: D with H, then D′ with φ(H), and what it violates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, Stopped, Undefined
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import nearly_equal
from alignkit.interpreting.values import Coordinate, is_number
from alignkit.language.program import Place, ShiftExpression
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.alignment_program import DIRECTION, AlignmentProgram
from alignkit.running.binding import exact_arguments, exactly
from alignkit.running.claims import OMEGA
from alignkit.running.enclosing import enclosed_above
from alignkit.running.replaying import DrawnNoise, RecordingContext, Run, alike, by_name, run_program
from alignkit.running.shift_costs import costs_of_shifts, dearest, in_words, is_least, total_cost


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
    shifts cost ``cost`` or more: some go down where the distribution does not bound the cost of that.
    """

    run: Run
    run_: Run | None
    shifts: Mapping[Coordinate, Any]
    cost: Any
    claim: Any
    violation: Violation | None
    close: bool = False
    at_least: bool = False

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


class AlignmentContext(Context):
    """An alignment's run: it sees the noise that D drew."""

    def __init__(self, noise: Mapping[str, Any]) -> None:
        super().__init__({})
        self.noise = noise
        self.places: Mapping[str, Place] = {}  # where the shift of each draw is written, once it is returned

    def shift(self, node: ShiftExpression) -> None:
        self.places = {shift.name: shift.place for shift in node.shifts}

    def noise_value(self, name: str, place: Place) -> Any:
        if name not in self.noise:
            raise Undefined(f"H.{name} was not drawn on this run", place)
        return self.noise[name]


class AlignedContext(RecordingContext):
    """D′'s run on the aligned noise; it stops where D′ draws what D did not draw in the same way."""

    def __init__(self, alignment: AlignmentProgram, run: Run, noise: Mapping[Coordinate, Any]) -> None:
        super().__init__(alignment.mechanism)
        self.expected = {drawn.where: drawn for drawn in run.drawn}
        self.noise = noise

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        expected = self.expected.get(where)
        if expected is None:
            raise Stopped(f"D' draws {where}, but D does not", place)
        if expected.distribution is not distribution or expected.arguments != arguments:
            raise Stopped(
                f"D draws {where} from {expected.distribution.name}({_list(expected.arguments)}) and D' from "
                f"{distribution.name}({_list(arguments)})",
                place,
            )
        value = self.noise[where]
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


def alignment_arguments(alignment: AlignmentProgram, inputs: Witness, output: Any) -> dict[str, Any]:
    """The alignment's parameters with their values; the context supplies H."""
    one = exact_arguments(alignment.mechanism, inputs.values)
    other = exact_arguments(alignment.mechanism, inputs.values_)
    primed = {f"{name}_": other[name] for name in alignment.mechanism.private}
    changes = [
        b - a
        for name, kind in alignment.mechanism.private.items()
        for a, b in (zip(one[name], other[name], strict=True) if kind.vector else [(one[name], other[name])])
    ]
    direction = -1 if any(change < 0 for change in changes) else 1
    arguments = {DIRECTION: direction, **one, **primed, "omega": output, "H": None}
    return {name: arguments[name] for name in alignment.program.parameters}


def run_both(alignment: AlignmentProgram, inputs: Witness, context: RecordingContext) -> AlignedRun:
    """Run D in a context that supplies its noise, then D′ on the aligned noise."""
    run = run_program(alignment.mechanism, inputs.values, context)
    claim = claim_value(alignment, inputs.public, run.output) if run.defined or not alignment.ex_post else None
    if not run.defined:
        violation = Violation("termination", f"D has no output: {run.problem}", run.place)
        return AlignedRun(run, None, {}, None, claim, violation, run.close)
    phi = AlignmentContext(run.H)
    phi.tick = context.tick
    try:
        shifts = shifts_for(alignment, inputs, run, phi)
    except Undefined as problem:
        words = f"the alignment is not defined for this run: {problem.problem}"
        trial = AlignedRun(run, None, {}, None, claim, Violation("same_output", words, problem.place))
    else:
        trial = _run_aligned(alignment, inputs, run, shifts, claim, phi)
    close = phi.close or run.close or (trial.run_ is not None and trial.run_.close)
    return replace(trial, close=True) if close else trial


def shifts_for(
    alignment: AlignmentProgram, inputs: Witness, run: Run, context: AlignmentContext
) -> dict[Coordinate, Any]:
    """Run the alignment on D's run; Undefined where it gives no shifts."""
    arguments = alignment_arguments(alignment, inputs, run.output)
    return spread(alignment, Evaluator(context).call(alignment.program, tuple(arguments.values())), run)


def spread(alignment: AlignmentProgram, returned: tuple[tuple[str, Any], ...], run: Run) -> dict[Coordinate, Any]:
    """The exact shift of every coordinate that D drew, by what the alignment returned; Undefined where one is missing.
    """
    stated = dict(returned)
    place = alignment.program.place
    shifts: dict[Coordinate, Any] = {}
    for drawn in run.drawn:
        value = stated.get(drawn.where.key, 0)
        if drawn.where.key in stated:
            for index in drawn.where.index:
                if not isinstance(value, tuple):
                    problem = f"{drawn.where.key} needs a list of shifts, one for each iteration"
                    raise Undefined(problem, place)
                if index >= len(value):
                    raise Undefined(f"no shift for {drawn.where}, which D draws", place)
                value = value[index]
            if not is_number(value):
                raise Undefined(f"the shift of {drawn.where} is not a number", place)
        shifts[drawn.where] = exactly(value)
    return shifts


def _run_aligned(
    alignment: AlignmentProgram,
    inputs: Witness,
    run: Run,
    shifts: dict[Coordinate, Any],
    claim: Any,
    phi: AlignmentContext,
) -> AlignedRun:
    """Run D′ on the shifted noise, and compare it with D's run; ``phi`` is the context in which the alignment ran."""
    costs = costs_of_shifts(run, shifts)
    trial = AlignedRun(run, None, shifts, total_cost(costs), claim, None, at_least=is_least(run, shifts))
    noise_ = trial.noise_
    for drawn in run.drawn:
        if not drawn.distribution.contains(noise_[drawn.where], *drawn.arguments):
            words = (
                f"the aligned {drawn.where} is {noise_[drawn.where]}, outside the support of "
                f"{drawn.distribution.name} noise ({drawn.distribution.support.value})"
            )
            place = phi.places.get(drawn.where.key, alignment.program.place)
            return replace(trial, violation=Violation("valid_noise", words, place))
    context = AlignedContext(alignment, run, noise_)
    context.tick = phi.tick
    run_ = run_program(alignment.mechanism, inputs.values_, context)
    violation = _violation(alignment, run, run_)
    if violation is None and exceeds(trial.cost, claim, lambda: claim_bound(alignment, inputs.public, run.output)):
        place = phi.places.get(dearest(costs) or "", alignment.program.place)
        violation = Violation("cost", in_words(costs, claim, at_least=trial.at_least), place)
    return replace(trial, run_=run_, violation=violation)


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


def claim_value(alignment: AlignmentProgram, public: Mapping[str, Any], output: Any) -> Any:
    """The claim as a number, for given public parameters and, where it is ex-post, the output."""
    arguments = {**exact_arguments(alignment.mechanism, public), OMEGA: output}
    try:
        return Evaluator(Context({})).number(alignment.claim_expression, arguments)
    except Undefined as problem:
        raise InputError(f"the claim {alignment.claim!r} has no value for this run: {problem.problem}") from None


def claim_bound(alignment: AlignmentProgram, public: Mapping[str, Any], output: Any) -> Fraction | None:
    """A fraction that the claim does not exceed, where it is made of roots and logarithms of exact numbers."""
    arguments = {**exact_arguments(alignment.mechanism, public), OMEGA: output}
    return enclosed_above(lambda context: Evaluator(context).number(alignment.claim_expression, arguments))


def _list(arguments: tuple[Any, ...]) -> str:
    return ", ".join(str(a) for a in arguments)
