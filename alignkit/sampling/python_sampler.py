"""Samplers in Python: the text of a program, compiled once for each shape of its arguments, and run on floats."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.interpreting import operations
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.output_form import in_one_form, with_whole_numbers
from alignkit.interpreting.values import NOISE as THE_NOISE
from alignkit.interpreting.values import Coordinate, Members, Returned
from alignkit.language import functions
from alignkit.language.program import Draw, Function, Place
from alignkit.noise import Distribution
from alignkit.sampling.fronts import find_front
from alignkit.sampling.text_of_programs import FunctionText, Module, Unwritable, write_function
from alignkit.sampling.value_shapes import NOISE, NOTHING, Floats, Shape, shape_of

if TYPE_CHECKING:
    from alignkit.language.tags import Tag
    from alignkit.sampling.compiled_sampler import CompiledSampler


def as_float(value: Any) -> Any:
    """A Fraction as the float that Python converts it to where it is added to a float; anything else as it is.

    >>> as_float(Fraction(1, 3)), as_float(2)
    (0.3333333333333333, 2)
    """
    return float(value) if type(value) is Fraction else value


def least_float_above(value: Any) -> Any:
    """The least float that is not below a Fraction: for a float x, x >= value and x < value are decided by it.

    >>> least_float_above(Fraction(1, 3)) > Fraction(1, 3) > math.nextafter(least_float_above(Fraction(1, 3)), 0)
    True
    """
    if type(value) is not Fraction:
        return value
    number = float(value)
    return number if number >= value else math.nextafter(number, math.inf)


def greatest_float_below(value: Any) -> Any:
    """The greatest float that is not above a Fraction: for a float x, x > value and x <= value are decided by it.

    >>> greatest_float_below(Fraction(1, 3)) < Fraction(1, 3) < math.nextafter(greatest_float_below(Fraction(1, 3)), 1)
    True
    """
    if type(value) is not Fraction:
        return value
    number = float(value)
    return number if number <= value else math.nextafter(number, -math.inf)


def exact_quotient(left: Any, right: Any) -> Any:
    """``left / right``, a Fraction for two whole numbers."""
    return Fraction(left, right) if type(left) is int and type(right) is int else left / right


def _whole(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def of_whole_numbers(left: Any, right: Any) -> Any:
        if type(left) is not int or type(right) is not int:
            raise TypeError("not a whole number")
        return function(left, right)

    return of_whole_numbers


def whole_as_int(value: Any) -> Any:
    """An output that is a number: an int where it is whole, if it is exact."""
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def _as_evaluated(value: Any) -> Any:
    """A value in the form that the evaluator has it in."""
    if isinstance(value, list | tuple):
        return tuple(map(_as_evaluated, value))
    return Members(tuple(value)) if isinstance(value, set) else value


def formed(value: Any) -> Any:
    """An output in its one form: sequences as tuples, whole numbers as ints."""
    return with_whole_numbers(_as_evaluated(value))


def compare_any(symbol: str, left: Any, right: Any, place: Place) -> Any:
    """A comparison of values of any kind."""
    return operations.compare(symbol, _as_evaluated(left), _as_evaluated(right), place)


def draw_many(noise: Any, name: str, items: Any, *parameters: Any) -> list[Any]:
    """A draw for each item, all with the same parameters."""
    drawn: list[Any] = noise.many(name, len(items), *parameters) if len(items) else []
    return drawn


def checked_finite(value: float) -> float:
    """A float that is a number, and not infinite."""
    if value - value != 0:
        raise OverflowError
    return value


# Numbers up to here can be added and multiplied a few times without leaving the floats.
_TAME = 2.0**200


def _check_tame(value: Any) -> None:
    """Refuse numbers so large that their sums may be no number."""
    if isinstance(value, list | tuple | set):
        if type(value) is not Floats:
            for item in value:
                _check_tame(item)
    elif isinstance(value, int | float | Fraction) and not -_TAME < value < _TAME:
        raise OverflowError


_NAMES: dict[str, Any] = {
    "__builtins__": {},
    "NEVER": object(),
    "whole_quotient": _whole(operator.floordiv),
    "whole_remainder": _whole(operator.mod),
    "least_above": least_float_above,
    "greatest_below": greatest_float_below,
    "floor": functions.floor,
    "ceil": functions.ceil,
    "divide": exact_quotient,
    "whole": whole_as_int,
    "compare": compare_any,
    "finite": checked_finite,
    **{f.__name__: f for f in (as_float, formed, draw_many)},
    **{f.__name__: f for f in (max, min, sum, any, all, len, abs, round, range, enumerate, zip, list)},
    **{name: getattr(functions, name) for name in ("clamp", "sqrt", "exp", "exp2", "log", "power", "largest")},
    "lattice_points": functions.lattice_points,
}


class PythonSampler:
    """Runs a program once on noise, by its text."""

    def __init__(self, function: Function, noise: str) -> None:
        self.function, self.noise = function, noise
        self.front = find_front(function, noise)
        self._fronts: dict[tuple[Shape, ...], Callable[..., list[Any]]] = {}
        self._runs: dict[tuple[Shape, ...], Callable[..., Any]] = {}
        self._compiled: dict[tuple[Shape, ...], CompiledSampler | None] = {}

    def given(self, arguments: Mapping[str, Any]) -> list[Any]:
        """The arguments without the noise, and behind them what is known in front of a run."""
        given = [arguments[name] for name in self.function.parameters if name != self.noise]
        _check_tame(given)
        if not self.front.nodes:
            return given
        shapes = tuple(map(shape_of, given))
        front = self._fronts.get(shapes)
        if front is None:
            module = Module(FunctionText)
            nothing = [NOTHING] * len(self.front.nodes)
            writer = FunctionText(
                module, self.function, self.shapes(shapes), self.front, nothing, {}, NOTHING, False
            )
            text = writer.written_front()
            front = self._fronts[shapes] = compiled([*module.texts, text], {**_NAMES, **module.values}, "front")
        known = front(*given)
        _check_tame(known)
        return given + known

    def shapes(self, given: tuple[Shape, ...]) -> dict[str, Shape]:
        """The shape of each parameter, of those of the arguments without the noise."""
        waiting = iter(given)
        return {name: NOISE if name == self.noise else next(waiting) for name in self.function.parameters}

    def run(self, given: list[Any], noise: Any) -> Any:
        """The output of a run, in its one form. Raises anything where the evaluator must say what is wrong."""
        shapes = tuple(map(shape_of, given))
        run = self._runs.get(shapes)
        if run is None:
            run = self._runs[shapes] = self.written(shapes)
        output = run(noise, *given)
        return output if self.function.is_generator else with_whole_numbers(in_one_form(self.function, output))

    def compiled(
        self, given: list[Any], tags: Sequence[Tag], several: bool, *, now: bool = True
    ) -> CompiledSampler | None:
        """What makes many runs at once; None where it is not compiled yet and not wanted ``now``, or cannot be."""
        shapes = tuple(map(shape_of, given))
        if shapes not in self._compiled and now:
            known = len(shapes) - len(self.front.nodes)
            try:
                from alignkit.sampling.compiled_sampler import CompiledSampler  # numba comes with it

                made = CompiledSampler(
                    self.function, self.front, self.shapes(shapes[:known]), shapes[known:], tags, several=several
                )
            except (Unwritable, ImportError):  # the extra may not fit to what else is installed
                made = None
            self._compiled[shapes] = made
        return self._compiled.get(shapes)

    def evaluated(self, arguments: Mapping[str, Any], noise: Any) -> Any:
        """The output of a run by the evaluator, which raises what is to be said where the run is not defined."""
        evaluator = Evaluator(_Sampling(noise))
        names = {name: THE_NOISE if name == self.noise else arguments[name] for name in self.function.parameters}
        names = {name: tuple(value) if isinstance(value, list) else value for name, value in names.items()}
        signal = evaluator.block(self.function.body, names)
        returned = signal.value if isinstance(signal, Returned) else None
        output = evaluator.outputs if self.function.is_generator else returned
        return with_whole_numbers(in_one_form(self.function, output))

    def written(self, shapes: tuple[Shape, ...]) -> Callable[..., Any]:
        module = Module(FunctionText)
        known = len(shapes) - len(self.front.nodes)
        write_function(
            module, "run", self.function, self.shapes(shapes[:known]), self.front, shapes[known:], whole=True
        )
        return compiled(module.texts, {**_NAMES, **module.values}, "run")


class _Sampling(Context):
    """A run of the evaluator on noise at random."""

    def __init__(self, noise: Any) -> None:
        super().__init__({})
        self.noise = noise

    def key(self, path: tuple[int, ...], node: Draw) -> str:
        return node.name

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        return self.noise.draw(distribution, *arguments)


def compiled(texts: list[str], names: dict[str, Any], name: str) -> Callable[..., Any]:
    """The function of a name in some texts."""
    exec(compile("\n".join(texts), f"<sampler of {name}>", "exec", dont_inherit=True), names)
    function: Callable[..., Any] = names[name]
    return function


