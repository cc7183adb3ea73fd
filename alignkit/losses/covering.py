"""From a mechanism, concrete inputs and an event to the polyhedra of noise vectors on which its output lies there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.language.functions import sqrt
from alignkit.language.program import Builtin, Place
from alignkit.losses.events import ANYTHING, Anything, Event, Interval, OneOf, fits
from alignkit.losses.noisy import Bounds, Branching, Form, Impossible, Noisy
from alignkit.noise import Distribution
from alignkit.running.context import Context
from alignkit.running.enclosing import EnclosingContext, Unsettled
from alignkit.running.evaluator import Evaluator
from alignkit.running.mechanism import Mechanism
from alignkit.running.values import NOISE, Coordinate, Members, Unsupported

# Beyond so many paths another way of bounding a probability is the better one.
MOST_PATHS = 4000


@dataclass(frozen=True)
class Region:
    """Noise vectors of one path: each draw's distribution with its parameters, and the bounds on linear forms."""

    noise: Mapping[str, tuple[Distribution, tuple[Fraction, ...]]]
    bounds: Mapping[Form, Bounds]
    output: Any = field(default=None, compare=False)


def cover(mechanism: Mechanism, values: Mapping[str, Any], event: Event) -> list[Region]:
    """The regions of noise, apart from one another, whose output lies in the event.

    Raises Unsupported where the program is not affine in its noise, draws discrete noise, or has too many paths;
    Undefined where it is not defined on these inputs.
    """
    found = []
    for path in _paths():
        context = CoveringContext(mechanism, path, event)
        try:
            output = _run(mechanism, values, context)
        except Impossible:
            continue
        except Unsettled as problem:
            raise Unsupported(str(problem)) from None
        found.append(Region(context.noise, path.known, output))
    return found


def skeletons(mechanism: Mechanism, values: Mapping[str, Any]) -> list[Any]:
    """The outputs that are possible on these inputs as patterns: an interval without ends for a number with noise."""
    regions = cover(mechanism, values, Event(ANYTHING))
    return list(dict.fromkeys(_skeleton(region.output) for region in regions))


def _skeleton(output: Any) -> Any:
    if isinstance(output, tuple):
        return tuple(_skeleton(part) for part in output)
    return Interval() if isinstance(output, Noisy) and output.rational is None else output


def _paths() -> Iterator[Branching]:
    """Paths without end, each with its choices to make; the last choice that has another way takes it next."""
    choices: list[tuple[int, int]] = []
    for _ in range(MOST_PATHS):
        path = Branching(list(choices))
        yield path
        made = path.choices[: path.taken]
        while made and made[-1][0] + 1 == made[-1][1]:
            made.pop()
        if not made:
            return
        way, ways = made[-1]
        choices = [*made[:-1], (way + 1, ways)]
    raise Unsupported(f"the program has more than {MOST_PATHS} paths that lead to the event")


def _run(mechanism: Mechanism, values: Mapping[str, Any], context: CoveringContext) -> Any:
    evaluator = Evaluator(context)
    arguments = [NOISE if name == mechanism.noise_name else values[name] for name in mechanism.program.parameters]
    returned = evaluator.call(mechanism.program, tuple(arguments))
    if not mechanism.program.is_generator:
        context.match(context.event.pattern, returned)
        return returned
    if len(evaluator.outputs) < context.expected:
        raise Impossible
    return tuple(evaluator.outputs)


class CoveringContext(Context):
    """A run whose noise is unknown, kept on the way to an event."""

    def __init__(self, mechanism: Mechanism, path: Branching, event: Event) -> None:
        super().__init__(mechanism.keys)
        self.path = path
        self.event = event
        self.stream = event.pattern if mechanism.program.is_generator and isinstance(event.pattern, tuple) else None
        self.expected = 0 if self.stream is None else len(self.stream)
        self.noise: dict[str, tuple[Distribution, tuple[Fraction, ...]]] = {}
        self.emitted = 0

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        if not distribution.support.continuous:
            raise Unsupported(f"{distribution.title} noise is discrete", place)
        scale = tuple(_rational(a, f"a parameter of {where}", place) for a in arguments)
        self.noise[str(where)] = (distribution, scale)
        value = Noisy.coordinate(self.path, str(where))
        if distribution.support.one_sided:
            self.path.restrict(value, Fraction(0), None)
        return value

    def emit(self, value: Any, place: Place) -> Any:
        position = self.emitted
        self.emitted += 1
        if self.stream is None:
            if self.event.pattern is not ANYTHING:
                raise Impossible
        elif position < len(self.stream):
            self.match(self.stream[position], value)
        elif not self.event.more:
            raise Impossible
        return value

    def match(self, pattern: Any, value: Any) -> None:
        """Keep to the noise for which the value fits the pattern."""
        if isinstance(pattern, Anything):
            return
        if isinstance(value, Noisy) and value.rational is not None:
            value = value.rational
        if isinstance(value, Members):
            value = frozenset(value.items)
        if isinstance(pattern, tuple):
            if not isinstance(value, tuple) or len(value) != len(pattern):
                raise Impossible
            for part, item in zip(pattern, value, strict=True):
                self.match(part, item)
        elif isinstance(value, Noisy):
            if not isinstance(pattern, Interval):
                raise Impossible  # one number, or some: of probability 0
            self.path.restrict(value, pattern.low, pattern.high)
        elif not (value in pattern if isinstance(pattern, Interval | OneOf) else fits(pattern, value)):
            raise Impossible

    def special(self, function: str, value: Any) -> Any:
        number = _rational(value, f"what {function} is taken of")
        root = sqrt(number) if function == "sqrt" else None
        if isinstance(root, int | Fraction):
            return root
        return Noisy.of(self.path, EnclosingContext({}).special(function, number))

    def largest(self, family: Any, k: Any, node: Builtin) -> Any:
        if not isinstance(family, tuple) or not isinstance(k, int):
            raise self.unsupported("largest of this", node.place)
        values = [x if isinstance(x, Noisy) else Noisy.of(self.path, x) for x in family]
        left = list(range(len(values)))
        chosen: list[int] = []
        for _ in range(k):
            chosen.append(left.pop(self.path.choose(len(left))))
        for one, other in itertools.pairwise(chosen):
            self._beats(values, one, other)
        for other in left:
            self._beats(values, chosen[-1], other)
        return tuple(chosen)

    def _beats(self, values: list[Noisy], one: int, other: int) -> None:
        difference = values[one] - values[other]
        if not difference.parts and difference.rational == 0 and one > other:
            raise Impossible  # a tie goes to the lower index
        self.path.at_least(values[one], values[other])


def _rational(number: Any, what: str, place: Place | None = None) -> Fraction:
    found = number.rational if isinstance(number, Noisy) else Fraction(number)
    if found is None:
        raise Unsupported(f"{what} is not a rational number", place)
    return found
