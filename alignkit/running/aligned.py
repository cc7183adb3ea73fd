"""D with H, then D′ with φ(H): one concrete trial of a proof, and what it violates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isclose
from typing import Any

from alignkit.errors import AlignkitError, InputError, InternalError
from alignkit.language.program import Place
from alignkit.noise import Distribution
from alignkit.running.adjacency import check_adjacent
from alignkit.running.alignment import Alignment
from alignkit.running.context import Context
from alignkit.running.evaluator import Evaluator
from alignkit.running.replaying import (
    NoiseVector,
    ReplayContext,
    Run,
    arguments_for,
    evaluate,
    exact_noise,
    plain,
    read_noise,
    run_python,
)
from alignkit.running.values import Coordinate, Undefined, is_number


@dataclass(frozen=True)
class Violation:
    """A condition of the proof that a concrete trial breaks, in words, with the line it shows at."""

    condition: str
    words: str
    place: Place | None


@dataclass(frozen=True)
class Trial:
    """One run on D, the aligned noise, the run on D′, and what of the proof does not hold there."""

    run: Run
    run_: Run | None
    shifts: Mapping[Coordinate, Any]
    cost: Any
    claim: Any
    violation: Violation | None

    @property
    def noise(self) -> dict[Coordinate, Any]:
        """H, the noise that the run on D drew."""
        return {drawn.where: drawn.value for drawn in self.run.drawn}

    @property
    def noise_(self) -> dict[Coordinate, Any]:
        """φ(H), the aligned noise."""
        return {drawn.where: drawn.value + self.shifts[drawn.where] for drawn in self.run.drawn}


class AlignmentContext(Context):
    """An alignment's run: it sees the noise that D drew."""

    def __init__(self, noise: Mapping[str, Any]) -> None:
        super().__init__({})
        self.noise = noise

    def noise_value(self, name: str, place: Place) -> Any:
        if name not in self.noise:
            raise Undefined(f"H.{name} was not drawn on this run", place)
        return self.noise[name]


class _Parted(AlignkitError):
    """D′ draws noise that D did not draw in the same way."""

    def __init__(self, words: str, place: Place) -> None:
        self.place = place
        super().__init__(words)


class AlignedContext(Context):
    """D′'s run on the aligned noise."""

    def __init__(self, alignment: Alignment, run: Run, noise: Mapping[Coordinate, Any]) -> None:
        super().__init__(alignment.mechanism.keys)
        self.expected = {drawn.where: drawn for drawn in run.drawn}
        self.noise = noise
        self.drawn: list[Any] = []

    def draw(
        self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place
    ) -> Any:
        expected = self.expected.get(where)
        if expected is None:
            raise _Parted(f"D' draws {where}, and D does not", place)
        if expected.distribution is not distribution or expected.arguments != arguments:
            raise _Parted(
                f"D draws {where} from {expected.distribution.name}({_list(expected.arguments)}) and D' from "
                f"{distribution.name}({_list(arguments)})",
                place,
            )
        self.drawn.append(expected)
        return self.noise[where]


def as_vector(run: Run) -> dict[str, Any]:
    """The noise of a run by name: a number, or a list over iterations with None where nothing was drawn."""
    result: dict[str, Any] = {}
    for drawn in run.drawn:
        _place(result, drawn.where.key, drawn.where.index, drawn.value)
    return {name: _frozen(value) for name, value in result.items()}


def _place(into: Any, key: Any, index: tuple[int, ...], value: Any) -> None:
    if not index:
        if isinstance(into, list):
            into.extend([None] * (key + 1 - len(into)))
        into[key] = value
        return
    if isinstance(into, list):
        into.extend([None] * (key + 1 - len(into)))
        into[key] = [] if into[key] is None else into[key]
    else:
        into.setdefault(key, [])
    _place(into[key], index[0], index[1:], value)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(x) for x in value) if isinstance(value, list) else value


def alignment_arguments(
    alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], output: Any
) -> dict[str, Any]:
    """What the alignment's parameters stand for; H is left to the context."""
    one, other = arguments_for(alignment.mechanism, values), arguments_for(alignment.mechanism, values_)
    known = {**one, **{f"{name}_": other[name] for name in alignment.mechanism.private}, "omega": output, "H": None}
    return {name: known[name] for name in alignment.program.parameters}


def attempt(alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], context: Context) -> Trial:
    """Run D in a context that supplies its noise, then D′ on the aligned noise."""
    run = evaluate(alignment.mechanism, values, context)
    claim = claim_value(alignment, values)
    if not run.defined:
        problem = run.ended.removeprefix("undefined: ")
        return Trial(run, None, {}, None, claim, Violation("termination", f"D has no output: {problem}", run.place))
    vector = as_vector(run)
    try:
        arguments = alignment_arguments(alignment, values, values_, run.output)
        given = Evaluator(AlignmentContext(vector)).call(alignment.program, tuple(arguments.values()))
        shifts = spread(alignment, given, run)
    except Undefined as problem:
        words = f"the alignment is not defined here: {problem.problem}"
        return Trial(run, None, {}, None, claim, Violation("same_output", words, problem.place))
    return compare(alignment, values_, run, shifts, claim)


def spread(alignment: Alignment, given: tuple[tuple[str, Any], ...], run: Run) -> dict[Coordinate, Any]:
    """The shift of every coordinate that D drew; Undefined where the alignment gives none."""
    named = dict(given)
    place = alignment.program.place
    shifts: dict[Coordinate, Any] = {}
    for drawn in run.drawn:
        value = named.get(drawn.where.key, 0)
        if drawn.where.key in named:
            for index in drawn.where.index:
                if not isinstance(value, tuple):
                    raise Undefined(f"{drawn.where.key} needs a list of shifts, one for each iteration", place)
                if index >= len(value):
                    raise Undefined(f"no shift for {drawn.where}, which D draws", place)
                value = value[index]
            if not is_number(value):
                raise Undefined(f"the shift of {drawn.where} is not a number", place)
        shifts[drawn.where] = value
    return shifts


def compare(
    alignment: Alignment, values_: Mapping[str, Any], run: Run, shifts: dict[Coordinate, Any], claim: Any
) -> Trial:
    """D′ on the shifted noise, against D's run."""
    noise_ = {drawn.where: drawn.value + shifts[drawn.where] for drawn in run.drawn}
    costs = [drawn.distribution.cost(shifts[drawn.where], *drawn.arguments) for drawn in run.drawn]
    cost = sum(costs) if costs else Fraction(0)
    place = alignment.program.place
    for drawn in run.drawn:
        if not drawn.distribution.contains(noise_[drawn.where], *drawn.arguments):
            words = (
                f"the aligned {drawn.where} is {noise_[drawn.where]}, outside the support of "
                f"{drawn.distribution.name} noise ({drawn.distribution.support.value})"
            )
            return Trial(run, None, shifts, cost, claim, Violation("valid_noise", words, place))
    context = AlignedContext(alignment, run, noise_)
    try:
        run_ = evaluate(alignment.mechanism, values_, context)
    except _Parted as problem:
        return Trial(run, None, shifts, cost, claim, Violation("noise_used", str(problem), problem.place))
    violation = None
    if not run_.defined:
        words = f"D' has no output: {run_.ended.removeprefix('undefined: ')}"
        violation = Violation("same_output", words, run_.place)
    elif not same_output(run.output, run_.output):
        violation = Violation("same_output", "the outputs differ", _parting(alignment))
    elif len(context.drawn) != len(run.drawn):
        violation = Violation("noise_used", "D' draws less noise than D", place)
    elif cost > claim and not (isinstance(cost, float) and isclose(cost, claim)):
        violation = Violation("cost", f"the shifts cost {cost}, more than the claim {claim}", place)
    return Trial(run, run_, shifts, cost, claim, violation)


def _parting(alignment: Alignment) -> Place:
    return alignment.program.place


def same_output(one: Any, other: Any) -> bool:
    """Whether two outputs are equal; floats up to rounding."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(same_output(a, b) for a, b in zip(one, other, strict=True))
    if is_number(one) and is_number(other):
        if isinstance(one, float) or isinstance(other, float):
            return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
        return bool(one == other)
    return type(one) is type(other) and bool(one == other)


def claim_value(alignment: Alignment, values: Mapping[str, Any]) -> Any:
    """The claim as a number, for given public parameters."""
    arguments = arguments_for(alignment.mechanism, values)
    try:
        return Evaluator(Context({})).number(alignment.claim_expression, arguments)
    except Undefined as problem:
        raise InputError(f"the claim {alignment.claim!r} has no value here: {problem.problem}") from None


class AlignedReplay:
    """A concrete trial as a user asks for it; printing it shows both runs side by side.

    ``cost`` and ``claim`` are exact for exact inputs; ``output`` and ``output_`` are what D and D′ gave;
    ``violation`` is the condition of the proof that fails here, or None.
    """

    def __init__(self, alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], trial: Trial):
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


class _NoiseView:
    """H as the alignment's Python sees it."""

    def __init__(self, vector: Mapping[str, Any]) -> None:
        self.__dict__.update({name: list(v) if isinstance(v, tuple) else v for name, v in vector.items()})

    @staticmethod
    def shift(**shifts: Any) -> tuple[tuple[str, Any], ...]:
        return tuple((name, plain(value)) for name, value in shifts.items())


def replay_aligned(
    alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], noise: NoiseVector
) -> AlignedReplay:
    """One trial through the user's own functions, mechanism and alignment, with the evaluator as a check."""
    check_adjacent(alignment.adjacency, alignment.mechanism, values, values_)
    vector = exact_noise(read_noise(alignment.mechanism, noise))
    trial = attempt(alignment, values, values_, ReplayContext(alignment.mechanism, vector))
    confirm(alignment, values, values_, trial)
    return AlignedReplay(alignment, values, values_, trial)


def confirm(alignment: Alignment, values: Mapping[str, Any], values_: Mapping[str, Any], trial: Trial) -> None:
    """Run the trial through Python itself; InternalError where Python does not do what the evaluator did."""
    _run(alignment, values, trial.run)
    if not trial.run.defined:
        return
    arguments = alignment_arguments(alignment, values, values_, trial.run.output)
    lists = {n: list(v) if isinstance(v, tuple) else v for n, v in arguments.items()}
    lists["H"] = _NoiseView(as_vector(trial.run))
    try:
        given = alignment.exact(**lists)
        shifts = spread(alignment, given, trial.run)
    except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError, Undefined) as problem:
        if trial.shifts or not trial.run.drawn:
            raise InternalError(f"Python cannot run the alignment where the evaluator can: {problem}") from problem
        return
    if not trial.shifts and trial.run.drawn:
        raise InternalError("Python runs the alignment where the evaluator cannot")
    if shifts != trial.shifts:
        raise InternalError(f"Python's alignment gives {shifts} and the evaluator's {dict(trial.shifts)}")
    if trial.run_ is not None:
        _run_aligned(alignment, values_, trial)


def _run(alignment: Alignment, values: Mapping[str, Any], run: Run) -> None:
    try:
        run_python(alignment.mechanism, values, run)
    except InputError:
        if run.defined:
            raise


def _run_aligned(alignment: Alignment, values_: Mapping[str, Any], trial: Trial) -> None:
    from dataclasses import replace

    run_ = trial.run_
    assert run_ is not None
    noise_ = trial.noise_
    drawn = tuple(replace(d, value=noise_[d.where]) for d in run_.drawn)
    _run(alignment, values_, replace(run_, drawn=drawn))


def _list(arguments: tuple[Any, ...]) -> str:
    return ", ".join(str(a) for a in arguments)
