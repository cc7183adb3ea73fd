"""The paths of a mechanism to an event, and the polyhedra of noise that they are for given answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import Form, NoisyNumber
from alignkit.attacking.closed_forms.continuous_paths import Ends, Guard
from alignkit.attacking.closed_forms.densities import NoiseTable
from alignkit.errors import InternalError, Undefined, Unsupported
from alignkit.language.parameters import exact
from alignkit.output_events import Event, Interval
from alignkit.running.enclosing import Enclosed, Unsettled
from alignkit.running.mechanism_decorator import Mechanism

# Lower and upper ends of a linear form in the noise.
_Ends = tuple[list[Enclosed], list[Enclosed]]


@dataclass(frozen=True)
class Bounds:
    """What a linear form in the noise lies between; None where there is no end."""

    low: Enclosed | None = None
    high: Enclosed | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing lies between, or one number, which has probability 0."""
        return self.low is not None and self.high is not None and self.low.low >= self.high.high


@dataclass(frozen=True)
class Region:
    """Noise vectors of one path, for given answers: each draw's distribution with its parameters, and the bounds."""

    noise: NoiseTable
    bounds: Mapping[Form, Bounds]
    output: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Template:
    """One path for answers of a kind; ``problem`` says why the run is not defined there, if it is not."""

    noise: NoiseTable
    known: Mapping[Form, Ends]
    output: Any = None
    problem: Undefined | None = None

    def at(self, answers: Mapping[str, Fraction], pattern: Any) -> Region | None:
        """The region for given answers, each by its name, and a pattern; None where it is empty.

        Of the pattern only the ends of its intervals are looked at: the path leads to the rest.
        """
        ends = {
            form: ([low.at(answers) for low in known.lows], [high.at(answers) for high in known.highs])
            for form, known in self.known.items()
        }
        # A run that is not defined has no output that could leave an interval.
        for interval, value in _intervals(pattern, self.output) if self.problem is None else ():
            if not _narrow(ends, interval, value, answers):
                return None
        bounds = {form: Bounds(_innermost(lows, max), _innermost(highs, min)) for form, (lows, highs) in ends.items()}
        if any(between.empty for between in bounds.values()):
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
        answers = answers_by_name(self.mechanism, values)
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
        answers = answers_by_name(self.mechanism, values)
        try:
            regions = [template.at(answers, event.pattern) for template in self.templates]
        except Unsettled as problem:
            raise Unsupported(str(problem)) from None
        return [region for region in regions if region is not None]


def answers_by_name(mechanism: Mechanism, values: Mapping[str, Any]) -> dict[str, Fraction]:
    """Each private answer by a name of its own; a float means the decimal it prints as."""
    answers: dict[str, Fraction] = {}
    for name, kind in mechanism.private.items():
        if kind.vector:
            answers |= {f"{name}[{i}]": Fraction(exact(x, name)) for i, x in enumerate(values[name])}
        else:
            answers[name] = Fraction(exact(values[name], name))
    return answers


def _intervals(pattern: Any, output: Any) -> Iterator[tuple[Interval, Any]]:
    """Each interval of a pattern that has an end, with the number that is to lie in it."""
    if isinstance(pattern, tuple) and isinstance(output, tuple):
        for part, item in zip(pattern, output, strict=False):
            yield from _intervals(part, item)
    elif isinstance(pattern, Interval) and pattern != Interval():
        yield pattern, output


def _innermost(ends: list[Enclosed], pick: Callable[[Iterator[Fraction]], Fraction]) -> Enclosed | None:
    """The largest of lower ends, or the smallest of upper ones; None where there is none."""
    return Enclosed(pick(end.low for end in ends), pick(end.high for end in ends)) if ends else None


def _narrow(ends: dict[Form, _Ends], interval: Interval, value: Any, answers: Mapping[str, Fraction]) -> bool:
    """Add that a number lies in an interval; False where that is known not to be."""
    if not isinstance(value, NoisyNumber):
        return value in interval
    if not value.parts:
        number = value.offset.at(answers)
        if number.low != number.high:
            raise Unsettled("an irrational number is compared with an interval")
        return number.low in interval
    form, factor, end = value.normal()
    lows, highs = ends.setdefault(form, ([], []))
    for limit, side in ((interval.low, lows if factor > 0 else highs), (interval.high, highs if factor > 0 else lows)):
        if limit is not None:
            side.append(end.at(answers) + limit / factor)
    return True
