"""From a mechanism, concrete inputs and an event to the polyhedra of noise vectors on which its output lies there."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from numbers import Number
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.attacking.closed_forms.covers import ContinuousPath, Cover, Guard, Template, answers_by_name
from alignkit.attacking.closed_forms.densities import DENSITIES
from alignkit.attacking.closed_forms.gumbel_orders import is_difference
from alignkit.errors import Infeasible, TooManyPaths, Undefined, Unsupported
from alignkit.interpreting.context import Context
from alignkit.interpreting.evaluator import Evaluator
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.values import Coordinate, Members
from alignkit.language.functions import sqrt
from alignkit.language.program import Builtin, Place
from alignkit.limits import NEVER, Deadline
from alignkit.noise import GUMBEL, Distribution
from alignkit.output_events import ANY_OUTPUT, Anything, Event, Interval, OneOf, equal_outputs, fits, flattened, mapped
from alignkit.running.enclosing import EnclosingContext, Unsettled
from alignkit.running.mechanism_decorator import Mechanism

# Beyond so many paths another way of bounding a probability is the better one.
MOST_PATHS = 4000


def cover(mechanism: Mechanism, values: Mapping[str, Any], event: Event, deadline: Deadline = NEVER) -> Cover:
    """The paths to an event, apart from one another but for noise of probability 0.

    They hold for all ends of the event's intervals, and for all private answers, as many as in ``values``, of which the
    conditions without noise are the same. Raises Unsupported where the program is not affine in its noise and its
    answers, draws discrete noise, or has too many paths, and OutOfTime after the deadline.
    """
    guards: dict[Guard, bool] = {}
    answers = answers_by_name(mechanism, values)

    def run(choices: Choices) -> Template | None:
        path = ContinuousPath(choices, answers, guards)
        context = CoveringContext(mechanism, path, Event(opened(event.pattern), event.more))
        context.tick = deadline.check
        output, problem = None, None
        try:
            output = _run(mechanism, values, context)
        except Infeasible:
            return None
        except Undefined as undefined:
            problem = undefined
        except Unsettled as unsettled:
            raise Unsupported(str(unsettled)) from None
        return Template(context.noise, path.known, output, problem)

    try:
        templates = [template for template in explore(run, MOST_PATHS, deadline.check) if template is not None]
    except TooManyPaths:
        raise Unsupported(f"the program has more than {MOST_PATHS} paths that lead to the event") from None
    if all_gumbel(mechanism):
        _check_orders(templates)
    return Cover(mechanism, tuple(templates), guards)


def _check_orders(templates: list[Template]) -> None:
    """Raise Unsupported unless all that is asked of Gumbel noise is by how much one coordinate is above another."""
    for path in templates:
        numbers = (part for part in flattened(path.output) if isinstance(part, NoisyNumber) and part.parts)
        for form in (*path.known, *(number.normal()[0] for number in numbers)):
            if not is_difference(dict(form), path.noise):
                raise Unsupported("Gumbel noise is compared with something other than Gumbel noise of the same scale")


def skeletons(
    mechanism: Mechanism, values: Mapping[str, Any], covers: list[Cover], deadline: Deadline = NEVER
) -> list[Any]:
    """The outputs that are possible on these inputs as patterns: an interval without ends for a number with noise.

    ``covers`` were made here for other answers and the same public parameters; a new one is added.
    """
    covered = serving(covers, mechanism, values, ANY_OUTPUT, deadline)
    answers = answers_by_name(mechanism, values)
    return list(dict.fromkeys(output_skeleton(region.output, answers) for region in covered.at(values, ANY_OUTPUT)))


def output_skeleton(output: Any, answers: Mapping[str, Fraction]) -> Any:
    """An output of a path as a pattern, for these answers: an interval without ends for a number with noise."""

    def opened_number(part: Any) -> Any:
        if not isinstance(part, NoisyNumber):
            return part
        value = part.offset.at(answers)
        return Interval() if part.parts or value.low != value.high else value.low

    return mapped(opened_number, output)


def serving(
    covers: list[Cover], mechanism: Mechanism, values: Mapping[str, Any], event: Event, deadline: Deadline = NEVER
) -> Cover:
    """The first of some covers to the event that is for these answers; where there is none, a new one is added."""
    for covered in covers:
        if covered.serves(values):
            return covered
    covers.append(cover(mechanism, values, event, deadline))
    return covers[-1]


def all_gumbel(mechanism: Mechanism) -> bool:
    """Whether all noise of a mechanism is Gumbel noise."""
    return bool(mechanism.draws) and all(draw.distribution is GUMBEL for draw in mechanism.draws)


def opened(pattern: Any) -> Any:
    """A pattern whose intervals have no ends."""
    return mapped(lambda part: Interval() if isinstance(part, Interval) else part, pattern)


def _run(mechanism: Mechanism, values: Mapping[str, Any], context: CoveringContext) -> Any:
    evaluator = Evaluator(context)
    answers = {name: context.path.answer(name) for name in answers_by_name(mechanism, values)}
    vectors = {
        name: tuple(answers[f"{name}[{i}]"] for i in range(len(values[name])))
        for name, kind in mechanism.private.items()
        if kind.vector
    }
    arguments = mechanism.environment({**values, **answers, **vectors})
    returned = evaluator.call(mechanism.program, tuple(arguments.values()))
    if mechanism.program.is_generator:
        returned = tuple(evaluator.outputs)
        if context.stream is None:
            context.match(context.event.pattern, returned)
        elif len(returned) < len(context.stream):
            raise Infeasible
        return returned
    whole, pattern = returned, context.event.pattern
    if context.event.more and isinstance(pattern, tuple) and isinstance(returned, tuple):
        whole = returned[: len(pattern)]
    context.match(pattern, whole)
    return returned


class CoveringContext(Context):
    """A run whose noise is unknown, kept on the way to an event."""

    counts_on = False

    def __init__(self, mechanism: Mechanism, path: ContinuousPath, event: Event) -> None:
        super().__init__(mechanism.keys)
        self.mechanism = mechanism
        self.path = path
        self.event = event
        self.stream = event.pattern if mechanism.program.is_generator and isinstance(event.pattern, tuple) else None
        self.noise: dict[str, tuple[Distribution, tuple[Fraction, ...]]] = {}
        self.emitted = 0

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if not distribution.support.continuous:
            raise Unsupported(f"{distribution.title} noise is discrete", place)
        if distribution.name not in DENSITIES and not all_gumbel(self.mechanism):
            raise Unsupported(f"none is known for {distribution.title} noise", place)
        scale = tuple(self._settled(a, f"a parameter of {where}", place) for a in arguments)
        self.noise[str(where)] = (distribution, scale)
        value = self.path.coordinate(str(where))
        if distribution.support.one_sided:
            self.path.assume_at_least(value, self.path.lift(0))
        return value

    def _settled(self, number: Any, what: str, place: Place | None = None) -> Fraction:
        """A rational number; where it depends on private answers the path is for the answers that make it this one."""
        settled = self.path.pinned(number) if isinstance(number, NoisyNumber) else None
        return _rational(number, what, place) if settled is None else settled

    def emit(self, value: Any, place: Place) -> Any:
        position = self.emitted
        self.emitted += 1
        if self.stream is None:
            # One of some whole outputs is looked for when all is out; no other pattern but anything fits a sequence.
            if not isinstance(self.event.pattern, Anything | OneOf):
                raise Infeasible
        elif position < len(self.stream):
            self.match(self.stream[position], value)
        elif not self.event.more:
            raise Infeasible
        return value

    def match(self, pattern: Any, value: Any) -> None:
        """Keep to the noise for which the value fits the pattern."""
        if not self.fits(pattern, value):
            raise Infeasible

    def fits(self, pattern: Any, value: Any) -> bool:
        """Whether the value fits the pattern on this path, as ``Event.holds`` would say of a run's output."""
        if isinstance(pattern, Anything):
            return True
        if isinstance(value, NoisyNumber) and value.rational is not None:
            value = value.rational
        if isinstance(value, Members):
            value = frozenset(value.items)
        if isinstance(pattern, OneOf) and isinstance(value, tuple):
            return any(self.fits(equal_outputs(whole), value) for whole in pattern.values if isinstance(whole, tuple))
        if isinstance(pattern, tuple):
            if not isinstance(value, tuple) or len(value) != len(pattern):
                return False
            return all(self.fits(part, item) for part, item in zip(pattern, value, strict=True))
        if isinstance(value, NoisyNumber):
            # Of an interval only the ends are left, which are looked at when the answers are known.
            return isinstance(pattern, Interval) or any(value.compare("==", x) for x in _numbers(pattern))
        return value in pattern if isinstance(pattern, Interval | OneOf) else fits(pattern, value)

    def special(self, function: str, value: Any) -> Any:
        number = self._settled(value, f"the argument of {function}")
        root: Any = sqrt(number) if function == "sqrt" else None
        if isinstance(root, int | Fraction):
            return root
        return self.path.lift(EnclosingContext({}).special(function, number))

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest(values, k), unless k and the length of the list are fixed", node.place)
        return self.path.select_largest([self.path.lift(0) + x for x in family], k)


def _numbers(pattern: Any) -> list[Fraction]:
    """The numbers among what a number is held against; a set of values takes True for 1, as Python's do."""
    if isinstance(pattern, bool):
        return []
    numbers = []
    for x in pattern.values if isinstance(pattern, OneOf) else (pattern,):
        if isinstance(x, int | Fraction) or (isinstance(x, float) and isfinite(x)):
            numbers.append(Fraction(x))
        elif isinstance(x, Number):
            raise Unsupported(f"an event with the number {x!r} of type {type(x).__name__}: write an int or a Fraction")
    return numbers


def _rational(number: Any, what: str, place: Place | None = None) -> Fraction:
    rational = number.rational if isinstance(number, NoisyNumber) else Fraction(number)
    if rational is None:
        of_noise = isinstance(number, NoisyNumber) and number.parts
        raise Unsupported(f"{what} {'depends on noise' if of_noise else 'is not a rational number'}", place)
    return rational
