"""Replay: a run on a given noise vector, through Python and through the evaluator at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError, InputError, InternalError
from alignkit.language.program import Place
from alignkit.noise import Distribution, Noise
from alignkit.running.context import Context
from alignkit.running.evaluator import Evaluator
from alignkit.running.mechanism import Mechanism
from alignkit.running.values import NOISE, Coordinate, Undefined

NoiseVector = Mapping[str, Any]


@dataclass(frozen=True)
class DrawnNoise:
    """One draw of a run: its coordinate, distribution, the distribution's arguments, and the value."""

    where: Coordinate
    distribution: Distribution
    arguments: tuple[Any, ...]
    value: Any


@dataclass(frozen=True)
class Run:
    """What one run did: its output, what it drew, and how and where it ended."""

    output: Any
    drawn: tuple[DrawnNoise, ...]
    ended: str  # "end", "return", "break" or "undefined: …"
    place: Place | None

    @property
    def defined(self) -> bool:
        return not self.ended.startswith("undefined")


class ReplayContext(Context):
    """Noise from a noise vector; every draw is recorded in order."""

    def __init__(self, mechanism: Mechanism, noise: NoiseVector) -> None:
        super().__init__(mechanism.keys)
        self.noise = noise
        self.drawn: list[DrawnNoise] = []

    def draw(
        self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place
    ) -> Any:
        value = self.noise_at(where, distribution, arguments)
        self.drawn.append(DrawnNoise(where, distribution, arguments, value))
        return value

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        """The value at a coordinate, checked against the distribution's support."""
        value = coordinate_value(self.noise, where)
        if not distribution.contains(value, *arguments):
            raise InputError(
                f"H has {value} for {where}, outside the support of {distribution.name} noise: "
                f"{distribution.support.value}"
            )
        return value


def coordinate_value(noise: NoiseVector, where: Coordinate) -> Any:
    """The value of a coordinate in a noise vector; InputError where there is none."""
    if where.key not in noise:
        raise InputError(f"H has no {where.key}; it has {', '.join(noise) or 'nothing'}")
    value = noise[where.key]
    for depth, index in enumerate(where.index):
        shown = where.key + "".join(f"[{i}]" for i in where.index[:depth])
        if not isinstance(value, list | tuple):
            raise InputError(f"H must have a list for {shown}, one value for each iteration, not {value!r}")
        if index >= len(value):
            raise InputError(f"H is too short: the run draws {where}, and {shown} has {len(value)} values")
        value = value[index]
    if isinstance(value, list | tuple) or value is None:
        raise InputError(f"H must have a number for {where}, not {value!r}")
    return value


def read_noise(mechanism: Mechanism, noise: NoiseVector) -> dict[str, Any]:
    """A user's noise vector, its numbers checked and exact (floats left as they are)."""
    if not isinstance(noise, Mapping):
        raise InputError(f"H must be a dict from the names of draws to values, not {noise!r}")
    known = {draw.key for draw in mechanism.draws}
    for name in noise:
        if name not in known:
            raise InputError(f"H names {name!r}, which {mechanism.name} does not draw; it draws {', '.join(known)}")
    return {name: _read_value(value, name) for name, value in noise.items()}


def _read_value(value: Any, name: str) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(None if x is None else _read_value(x, f"{name}[{i}]") for i, x in enumerate(value))
    from alignkit.language.parameters import _plain

    return _plain(value, f"H's {name}")


def exactly(value: Any) -> Any:
    """Whole numbers as Fractions, through tuples: so that Python's division of them stays exact."""
    if isinstance(value, tuple):
        return tuple(exactly(x) for x in value)
    return Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value


def arguments_for(mechanism: Mechanism, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a run: counts as ints, every other exact number as a Fraction."""
    kinds = mechanism.parameters
    return {name: v if kinds[name].integer else exactly(v) for name, v in values.items()}


def evaluate(mechanism: Mechanism, values: Mapping[str, Any], context: Context) -> Run:
    """Run the program by the evaluator. An undefined run ends there; its output is what came before."""
    evaluator = Evaluator(context)
    arguments = arguments_for(mechanism, values)
    ordered = tuple(NOISE if p == mechanism.noise_name else arguments[p] for p in mechanism.program.parameters)
    ended, returned, place = "end", None, None
    try:
        returned = evaluator.call(mechanism.program, ordered)
        place = evaluator.ended_at
    except Undefined as problem:
        ended, place = f"undefined: {problem.problem}", problem.place
    output = tuple(evaluator.outputs) if mechanism.program.is_generator else returned
    return Run(output, tuple(getattr(context, "drawn", ())), ended, place)


class TapeNoise(Noise):
    """Hands Python the values that the evaluator drew, and insists that the two draw alike."""

    def __init__(self, drawn: tuple[DrawnNoise, ...]) -> None:
        self.waiting = list(reversed(drawn))

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        if not self.waiting:
            raise InternalError(f"Python draws {distribution.name} noise where the evaluator draws none")
        expected = self.waiting.pop()
        arguments = distribution.bind(*parameters)
        if expected.distribution is not distribution or tuple(expected.arguments) != tuple(arguments):
            raise InternalError(
                f"Python draws {distribution.name}{arguments} where the evaluator draws "
                f"{expected.distribution.name}{expected.arguments} for {expected.where}"
            )
        return expected.value


def run_python(mechanism: Mechanism, values: Mapping[str, Any], run: Run) -> Any:
    """The output of the user's own function on the noise of a run; InternalError where the two differ."""
    tape = TapeNoise(run.drawn)
    arguments = {n: list(v) if isinstance(v, tuple) else v for n, v in arguments_for(mechanism, values).items()}
    output: Any = None
    error: Exception | None = None
    try:
        output = mechanism.exact(**arguments, **{mechanism.noise_name: tape})
        if mechanism.program.is_generator:
            output = list(output)
    except InternalError:
        raise
    except (ArithmeticError, LookupError, ValueError, TypeError, AlignkitError) as problem:
        error = problem
    if run.defined != (error is None):
        raise InternalError(f"Python: {error or 'no error'}; the evaluator: {run.ended}")
    if error is None and plain(output) != plain(run.output):
        raise InternalError(f"Python gives {output!r} and the evaluator {run.output!r}")
    if error is None and tape.waiting:
        raise InternalError(f"the evaluator draws {tape.waiting[-1].where}, and Python does not")
    if error is not None:
        raise InputError(f"{mechanism.name} is not defined here: {run.ended.removeprefix('undefined: ')}") from error
    return output


def plain(value: Any) -> Any:
    """A value with lists as tuples, for comparison."""
    if isinstance(value, list | tuple):
        return tuple(plain(x) for x in value)
    return value


def replay(mechanism: Mechanism, values: Mapping[str, Any], noise: NoiseVector) -> Any:
    """M(D, H) by the user's own function, with the evaluator as a check."""
    context = ReplayContext(mechanism, exact_noise(read_noise(mechanism, noise)))
    return run_python(mechanism, values, evaluate(mechanism, values, context))


def exact_noise(noise: dict[str, Any]) -> dict[str, Any]:
    """The noise with whole numbers as Fractions."""
    return {name: exactly(value) for name, value in noise.items()}
