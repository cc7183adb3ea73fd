"""Replay: a run on a given noise vector, through Python and through the evaluator at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import AlignkitError, InputError, InternalError, Stopped, Undefined
from alignkit.formatting import counted, full_text
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.operations import nearly_equal
from alignkit.interpreting.values import Coordinate, Returned, is_number
from alignkit.language.parameters import plain_number
from alignkit.language.program import MechanismCall, Place
from alignkit.noise import CHOICE, DISTRIBUTIONS, Distribution, Noise
from alignkit.noise.distribution_parameters import checked_weights
from alignkit.noise.lattice import exact_multiple
from alignkit.running.binding import exact_arguments, exactly, python_arguments
from alignkit.running.mechanism_program import MechanismProgram

# What Python raises where a program of the language is not defined.
UNDEFINED = (ArithmeticError, LookupError, ValueError, AlignkitError)


@dataclass(frozen=True)
class DrawnNoise:
    """One draw of a run: its coordinate, distribution, the distribution's arguments, and the value."""

    where: Coordinate
    distribution: Distribution
    arguments: tuple[Any, ...]
    value: Any
    place: Place | None = field(default=None, repr=False)


@dataclass(frozen=True)
class CalledRun:
    """One call of a mechanism in a run: its arguments, its value, and which of the run's draws it made."""

    arguments: tuple[Any, ...]
    output: Any
    first: int
    last: int


@dataclass(frozen=True)
class Run:
    """What one run did: its output, what it drew, and how and where it ended.

    ``ended`` is "end" or "return" for a run that is defined, else "undefined: …", or "stopped: …" for a run on D′
    that leaves the noise of D; the output of the latter two is what came before. ``place`` is the jump that ended
    the run (None where it reached its end), or where it became undefined or stopped. ``emitted_at`` holds the place
    of each output. ``called`` holds the calls of mechanisms, by their paths and iterations. ``close`` says that
    rounding may have decided which way it went.
    """

    output: Any
    drawn: tuple[DrawnNoise, ...]
    ended: str
    place: Place | None
    emitted_at: tuple[Place, ...] = field(default=(), repr=False)
    close: bool = field(default=False, repr=False)
    called: Mapping[tuple[tuple[int, ...], tuple[Any, ...]], CalledRun] = field(default_factory=dict, repr=False)

    @property
    def defined(self) -> bool:
        return self.ended in ("end", "return")

    @property
    def problem(self) -> str:
        """Why the run is not defined."""
        return self.ended.partition(": ")[2]

    @property
    def noise(self) -> dict[Coordinate, Any]:
        """The noise that was drawn, by coordinate."""
        return {drawn.where: drawn.value for drawn in self.drawn}

    @property
    def H(self) -> dict[str, Any]:
        """The noise that was drawn, by the names of the draws."""
        return by_name(self.noise)


def by_name(noise: Mapping[Coordinate, Any]) -> dict[str, Any]:
    """Noise by the names of the draws: a number, or a tuple over iterations with None where nothing was drawn.

    >>> by_name({Coordinate("eta"): 2, Coordinate("xi", (1,)): 3})
    {'eta': 2, 'xi': (None, 3)}
    """
    by_key: dict[str, dict[tuple[int, ...], Any]] = {}
    for where, value in noise.items():
        by_key.setdefault(where.key, {})[where.index] = value
    return {key: _nested(values) for key, values in by_key.items()}


def _nested(values: Mapping[tuple[int, ...], Any]) -> Any:
    """A number, or a tuple over the first index of the values."""
    if () in values:
        return values[()]
    parts: list[dict[tuple[int, ...], Any]] = [{} for _ in range(1 + max(index[0] for index in values))]
    for (first, *rest), value in values.items():
        parts[first][tuple(rest)] = value
    return tuple(_nested(part) if part else None for part in parts)


class RecordingContext(Context):
    """A run on the mechanism that records its draws, and the place of each output, in order."""

    def __init__(self, mechanism: MechanismProgram) -> None:
        super().__init__(mechanism.keys)
        self.drawn: list[DrawnNoise] = []
        self.emitted_at: list[Place] = []
        self.called: dict[tuple[tuple[int, ...], tuple[Any, ...]], CalledRun] = {}

    def mechanism_call(self, evaluator: Any, node: MechanismCall, arguments: tuple[Any, ...]) -> Any:
        first = len(self.drawn)
        value = evaluator.inlined(node, arguments)
        where = (*evaluator.path, node.site), evaluator.iteration
        self.called[where] = CalledRun(arguments, value, first, len(self.drawn))
        return value

    def emit(self, value: Any, place: Place) -> Any:
        self.emitted_at.append(place)
        return value


class ReplayContext(RecordingContext):
    """Noise from a noise vector; every draw is recorded in order."""

    def __init__(self, mechanism: MechanismProgram, noise: Mapping[str, Any]) -> None:
        super().__init__(mechanism)
        self.noise = noise

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        value = self.noise_at(where, distribution, arguments)
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value

    def noise_at(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...]) -> Any:
        """The value at a coordinate, checked against the distribution's support."""
        value = coordinate_value(self.noise, where)
        if not distribution.contains(value, *arguments):
            raise InputError(
                f"H has {value} for {where}, outside the support of {distribution.name} noise: "
                f"{distribution.support.value}"
            )
        if distribution is CHOICE:
            return int(value)
        lattice = None if distribution.support.continuous else arguments[-1]
        return exact_multiple(value, lattice) if type(value) is float and lattice is not None else value


def coordinate_value(noise: Mapping[str, Any], where: Coordinate) -> Any:
    """The value of a coordinate in a noise vector; InputError where there is none.

    >>> coordinate_value({"eta": (1, (2, 3))}, Coordinate("eta", (1, 0)))
    2
    """
    if where.key not in noise:
        raise InputError(f"H has no {where.key}; it has {', '.join(noise) or 'nothing'}")
    value = noise[where.key]
    for depth, index in enumerate(where.index):
        shown = where.key + "".join(f"[{i}]" for i in where.index[:depth])
        if not isinstance(value, list | tuple):
            raise InputError(f"H must have a list for {shown}, one value for each iteration, not {_written(value)}")
        if index >= len(value):
            raise InputError(f"H is too short: the run draws {where}, and {shown} has {counted(len(value), 'value')}")
        value = value[index]
    if isinstance(value, list | tuple) or value is None:
        raise InputError(f"H must have a number for {where}, not {_written(value)}")
    return value


def _written(value: Any) -> str:
    """A value of a noise vector as users write it."""
    return f"[{', '.join(map(_written, value))}]" if isinstance(value, list | tuple) else full_text(value)


def read_noise(mechanism: MechanismProgram, noise: Mapping[str, Any]) -> dict[str, Any]:
    """A user's noise vector, checked; whole numbers are Fractions, and floats are left as they are."""
    if not isinstance(noise, Mapping):
        raise InputError(f"H must be a dict from the names of draws to values, not {shown(noise)}")
    keys = {draw.key for draw in mechanism.draws}
    for name in noise:
        if name not in keys:
            names = ", ".join(draw.key for draw in mechanism.draws) or "no noise"
            raise InputError(f"H names {name!r}, which {mechanism.name} does not draw; it draws {names}")
    return exact_noise({name: _read_value(value, f"H[{name!r}]") for name, value in noise.items()})


def _read_value(value: Any, name: str) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(None if x is None else _read_value(x, f"{name}[{i}]") for i, x in enumerate(value))
    return plain_number(value, name)


def run_program(mechanism: MechanismProgram, values: Mapping[str, Any], context: RecordingContext) -> Run:
    """Run the program by the evaluator. An undefined run ends there; its output is what came before."""
    evaluator = Evaluator(context)
    program = mechanism.program
    names = mechanism.environment(exact_arguments(mechanism, values))
    ended, returned, place = "end", None, None
    try:
        signal = evaluator.block(program.body, names)
        place = evaluator.ended_at
        if isinstance(signal, Returned):
            ended, returned = "return", signal.value
    except Undefined as problem:
        ended, place = f"undefined: {problem.problem}", problem.place
    except Stopped as problem:
        ended, place = f"stopped: {problem}", problem.place
    output = tuple(evaluator.outputs) if program.is_generator else returned
    emitted_at = tuple(context.emitted_at)
    if not program.is_generator and ended == "return" and place is not None:
        emitted_at = (place,)
    return Run(output, tuple(context.drawn), ended, place, emitted_at, context.close, context.called)


class TapeNoise(Noise):
    """Hands Python the values that the evaluator drew, and insists that the two draw alike.

    Drawing from a scale that is not above 0 is refused, as a random source refuses it.
    """

    def __init__(self, drawn: tuple[DrawnNoise, ...]) -> None:
        self.waiting = list(reversed(drawn))

    def many(self, name: str, count: int, *parameters: Any) -> list[Any]:
        """The next ``count`` values, which must be of the distribution of that name."""
        return [self.draw(DISTRIBUTIONS[name], *parameters) for _ in range(count)]

    def draw(self, distribution: Distribution, *parameters: Any) -> Any:
        arguments = distribution.bind(*parameters)
        if distribution is CHOICE:
            checked_weights(*arguments)
        else:
            for value, symbol, bound, words in distribution.requirements(*arguments):
                if not (value > bound if symbol == ">" else value < bound):
                    raise InputError(f"{words.format(f'noise.{distribution.name}')}, and is {value}")
        if not self.waiting:
            raise InternalError(f"Python draws {distribution.name} noise where the evaluator draws none")
        expected = self.waiting.pop()
        if expected.distribution is not distribution or as_tuples(expected.arguments) != as_tuples(arguments):
            raise InternalError(
                f"Python draws {distribution.name}{arguments} where the evaluator draws "
                f"{expected.distribution.name}{expected.arguments} for {expected.where}"
            )
        return expected.value


def run_python(
    mechanism: MechanismProgram, values: Mapping[str, Any], run: Run, function: Callable[..., Any] | None = None
) -> Any:
    """The output of the user's own function on the noise of a run; InternalError where the two differ.

    ``function`` is what Python runs, if it is another form of the function than that of replays.
    """
    tape = TapeNoise(run.drawn)
    arguments = python_arguments(mechanism, exact_arguments(mechanism, values), tape)
    output: Any = None
    error: Exception | None = None
    try:
        output = (function or mechanism.exact)(**arguments)
        if mechanism.program.is_generator:
            outputs, output = output, []
            for item in outputs:  # one by one, since a run that becomes undefined is compared up to there
                output.append(item)
    except InternalError:
        raise
    except UNDEFINED as problem:
        error = problem
    except TypeError as problem:
        raise InternalError(f"Python cannot run {mechanism.name}: {problem}; the evaluator: {run.ended}") from problem
    if run.defined != (error is None):
        raise InternalError(f"Python: {error or 'no error'}; the evaluator: {run.ended}")
    if not alike(output, run.output):
        raise InternalError(f"Python gives {output!r} and the evaluator {run.output!r}")
    if tape.waiting:
        raise InternalError(f"the evaluator draws {tape.waiting[-1].where}, and Python does not")
    if error is not None:
        raise InputError(_undefined(mechanism, run)) from error
    return output


def _undefined(mechanism: MechanismProgram, run: Run) -> str:
    where = "" if run.place is None else f" (line {run.place.line})"
    return f"{mechanism.name} is not defined on these arguments: {run.problem}{where}"


def alike(one: Any, other: Any, *, up_to_rounding: bool = False) -> bool:
    """Whether two outputs are the same; lists and tuples are not told apart, numbers and Booleans are.

    With ``up_to_rounding``, a float is the same as any number that rounding may exchange with it.

    >>> alike([1, (2.0, True)], (1, [2, True])), alike(1, True), alike(1, 1 + 1e-15, up_to_rounding=True)
    (True, False, True)
    """
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(
            alike(a, b, up_to_rounding=up_to_rounding) for a, b in zip(one, other, strict=True)
        )
    if is_number(one) and is_number(other):
        if up_to_rounding and (isinstance(one, float) or isinstance(other, float)):
            return nearly_equal(one, other)
        return bool(one == other) or (one != one and other != other)
    return type(one) is type(other) and bool(one == other)


def as_tuples(value: Any) -> Any:
    """A value with lists as tuples, all through."""
    if isinstance(value, list | tuple):
        return tuple(as_tuples(x) for x in value)
    return value


def exact_noise(noise: dict[str, Any]) -> dict[str, Any]:
    """The noise with whole numbers as Fractions."""
    return {name: exactly(value) for name, value in noise.items()}
