"""The paths of a mechanism to an event, and the polyhedra of noise that they are for given answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import Form, NoisyNumber
from alignkit.attacking.closed_forms.continuous_paths import Ends, Guard
from alignkit.errors import InternalError, Undefined, Unsupported
from alignkit.language.parameters import exact
from alignkit.noise import Distribution
from alignkit.output_events import Event, Interval
from alignkit.running.enclosing import Enclosed, Unsettled
from alignkit.running.mechanism_decorator import Mechanism

# Each draw's distribution with its parameters.
Noise = Mapping[str, tuple[Distribution, tuple[Fraction, ...]]]


@dataclass(frozen=True)
class Bounds:
    """What a linear form in the noise lies between; None where there is no end."""

    low: Enclosed | None = None
    high: Enclosed | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing lies between, or one number, which has probability 0."""
        return self.low is not None and self.high is not None and self.low.low >= self.high.high

    def within(self, low: Enclosed | None, high: Enclosed | None) -> Bounds:
        """These bounds and others."""
        return Bounds(_both(self.low, low, max), _both(self.high, high, min))


def _both(one: Enclosed | None, other: Enclosed | None, pick: Callable[..., Fraction]) -> Enclosed | None:
    if one is None or other is None:
        return one or other
    return Enclosed(pick(one.low, other.low), pick(one.high, other.high))


@dataclass(frozen=True)
class Region:
    """Noise vectors of one path, for given answers: each draw's distribution with its parameters, and the bounds."""

    noise: Noise
    bounds: Mapping[Form, Bounds]
    output: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Template:
    """One path for answers of a kind; ``problem`` says why the run is not defined there, if it is not."""

    noise: Noise
    known: Mapping[Form, Ends]
    output: Any = None
    problem: Undefined | None = None

    def at(self, answers: Mapping[str, Fraction], pattern: Any) -> Region | None:
        """The region for given answers, each by its name, and a pattern; None where it is empty.

        Of the pattern only the ends of its intervals are looked at: the path leads to the rest.
        """
        bounds: dict[Form, Bounds] = {}
        for form, ends in self.known.items():
            lows, highs = [end.at(answers) for end in ends.lows], [end.at(answers) for end in ends.highs]
            low = Enclosed(max(e.low for e in lows), max(e.high for e in lows)) if lows else None
            high = Enclosed(min(e.low for e in highs), min(e.high for e in highs)) if highs else None
            bounds[form] = Bounds(low, high)
        # A run that is not defined has no output that could leave an interval.
        for interval, value in _intervals(pattern, self.output) if self.problem is None else ():
            if not _narrow(bounds, interval, value, answers):
                return None
        if any(each.empty for each in bounds.values()):
            return None
        if self.problem is not None:
            raise self.problem
        return Region(self.noise, bounds, self.output)


@dataclass(frozen=True)
class Cover:
    """All paths of a mechanism to an event, for given public parameters and answers that meet the ``guards``."""

    mechanism: Mechanism
    templates: tuple[Template, ...]
    guards: Mapping[Guard, bool]

    def serves(self, values: Mapping[str, Any]) -> bool:
        """Whether the paths are those for these answers, too."""
        answers = dict(answers_by_name(self.mechanism, values))
        try:
            return all(guard.holds(answers) is way for guard, way in self.guards.items())
        except Unsettled:
            return False

    @property
    def work(self) -> float:
        """About how much work a probability is, one for a path with few constraints: it grows with their cube."""
        return max(1.0, sum((len(template.known) / 5) ** 3 for template in self.templates))

    def at(self, values: Mapping[str, Any], event: Event) -> list[Region]:
        """The regions for answers that it serves and an event that differs in the ends of intervals only.

        Raises Undefined where the mechanism is not defined on these answers.
        """
        if not self.serves(values):
            raise InternalError("paths are asked for answers that they do not serve")
        answers = dict(answers_by_name(self.mechanism, values))
        try:
            regions = [template.at(answers, event.pattern) for template in self.templates]
        except Unsettled as problem:
            raise Unsupported(str(problem)) from None
        return [region for region in regions if region is not None]


def answers_by_name(mechanism: Mechanism, values: Mapping[str, Any]) -> Iterator[tuple[str, Fraction]]:
    """Each private answer by a name of its own; a float means the decimal it prints as."""
    for name, kind in mechanism.private.items():
        if kind.vector:
            yield from ((f"{name}[{i}]", Fraction(exact(x, name))) for i, x in enumerate(values[name]))
        else:
            yield name, Fraction(exact(values[name], name))


def _intervals(pattern: Any, output: Any) -> Iterator[tuple[Interval, Any]]:
    """Each interval of a pattern that has an end, with the number that is to lie in it."""
    if isinstance(pattern, tuple) and isinstance(output, tuple):
        for part, item in zip(pattern, output, strict=False):
            yield from _intervals(part, item)
    elif isinstance(pattern, Interval) and pattern != Interval():
        yield pattern, output


def _narrow(bounds: dict[Form, Bounds], interval: Interval, value: Any, answers: Mapping[str, Fraction]) -> bool:
    """Add that a number lies in an interval; False where that is known not to be."""
    if not isinstance(value, NoisyNumber):
        return value in interval
    if not value.parts:
        number = value.offset.at(answers)
        if number.low != number.high:
            raise Unsettled("an irrational number is compared with an interval")
        return number.low in interval
    form, factor, end = value.normal()
    rest = end.at(answers)
    ends = [None if x is None else rest + x / factor for x in (interval.low, interval.high)]
    low, high = ends if factor > 0 else reversed(ends)
    bounds[form] = bounds.get(form, Bounds()).within(low, high)
    return True
