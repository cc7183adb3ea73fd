"""The paths of a mechanism to an event, and the polyhedra of noise that they are for given answers.

The path of a run whose noise is continuous and whose private answers are not known, where comparisons are decided.

Whenever two numbers are compared the path takes one of the two ways. What it learns is a bound on a linear form in the
noise, by an end that depends on the answers; or, where no noise is left, a condition on the answers alone. So a path
ends, for given answers, as a polyhedron of noise vectors. The ways of a comparison part the noise but for a set of
probability 0, since all noise here is continuous.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import Form, NoisePath, NoisyNumber, plus, times
from alignkit.attacking.closed_forms.densities import NoiseTable
from alignkit.errors import Infeasible, InternalError, Undefined, Unsupported
from alignkit.language.parameters import exact
from alignkit.output_events import Event, Interval
from alignkit.running.enclosing import Enclosed, Unsettled
from alignkit.running.mechanism_decorator import Mechanism


@dataclass(frozen=True, eq=False)
class Offset:
    """A number without noise: private answers by their names, with rational factors, and an enclosed constant."""

    answers: Mapping[str, Fraction]
    constant: Enclosed

    @property
    def key(self) -> tuple[Any, ...]:
        """What is equal for equal numbers, and can be looked up."""
        return tuple(sorted(self.answers.items())), self.constant

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offset) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __add__(self, other: Offset) -> Offset:
        return Offset(plus(self.answers, other.answers), self.constant + other.constant)

    def __neg__(self) -> Offset:
        return self * -1

    def __mul__(self, factor: Fraction | int) -> Offset:
        return Offset(times(self.answers, factor), self.constant * factor)

    def at(self, answers: Mapping[str, Fraction]) -> Enclosed:
        """The number, for given answers."""
        moved = sum((factor * answers[name] for name, factor in self.answers.items()), Fraction(0))
        return Enclosed(self.constant.low + moved, self.constant.high + moved)

    def surely_at_most(self, other: Offset) -> bool:
        """Whether this is at most another whatever the answers are, as far as can be told."""
        return self.answers == other.answers and self.constant.high <= other.constant.low


@dataclass
class Ends:
    """The ends that are known of a form, from below and from above."""

    lows: list[Offset] = field(default_factory=list)
    highs: list[Offset] = field(default_factory=list)


@dataclass(frozen=True)
class Guard:
    """A condition on the answers alone: a number is >=, >, == or != 0."""

    relation: str
    of: Offset

    def holds(self, answers: Mapping[str, Fraction]) -> bool:
        """Whether given answers meet it."""
        return bool(self.of.at(answers).compare(self.relation, 0))


@dataclass(eq=False)
class ContinuousPath(NoisePath):
    """One path: which way each choice goes, and what is known of the noise there.

    A condition on the answers alone goes the way that it has for the given ``answers``, and is written down: for others
    that meet the same ``guards`` the path is the same.
    """

    answers: Mapping[str, Fraction]
    guards: dict[Guard, bool]
    known: dict[Form, Ends] = field(default_factory=dict)

    def coordinate(self, name: str) -> NoisyNumber:
        """One coordinate of the noise."""
        return NoisyNumber(self, {name: Fraction(1)}, Offset({}, Enclosed.of(0)))

    def answer(self, name: str) -> NoisyNumber:
        """One private answer."""
        return NoisyNumber(self, {}, Offset({name: Fraction(1)}, Enclosed.of(0)))

    def is_at_most(self, form: Form, end: Offset) -> bool:
        """Whether form <= end on this path."""
        ends = self.known.setdefault(form, Ends())
        if any(high.surely_at_most(end) for high in ends.highs):
            return True
        if any(end.surely_at_most(low) for low in ends.lows):
            return False
        at_most = self.choices.choose(2) == 0
        (ends.highs if at_most else ends.lows).append(end)
        return at_most

    def holds(self, guard: Guard) -> bool:
        """Whether a condition on the answers holds."""
        if guard not in self.guards:
            self.guards[guard] = guard.holds(self.answers)
        return self.guards[guard]

    # Numbers with noise

    def lift(self, value: Any) -> NoisyNumber:
        """A public number, which may be enclosed only."""
        return NoisyNumber(self, {}, Offset({}, Enclosed.of(value)))

    def rational(self, number: NoisyNumber) -> Fraction | None:
        if number.parts or number.offset.answers:
            return None
        constant: Enclosed = number.offset.constant
        return constant.low if constant.low == constant.high else None

    def pinned(self, number: NoisyNumber) -> Fraction | None:
        if number.parts or not number.offset.answers:
            return self.rational(number)
        here: Enclosed = number.offset.at(self.answers)
        return here.low if here.low == here.high and number.compare("==", here.low) else None

    def concrete(self, number: NoisyNumber) -> Fraction:
        value = self.pinned(number)
        if value is None:
            raise Unsupported("power of a number that is not known")
        return value

    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        if (value := self.pinned(number)) is not None:
            return self.lift(1 / value)
        if number.parts or number.offset.answers:
            raise Unsupported("a division by a number with noise or private answers")
        return self.lift(1 / number.offset.constant)

    def product_of_unknowns(self) -> Unsupported:
        return Unsupported("a product of two numbers with noise or private answers")

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        difference = one - other
        if not difference.parts:
            if not difference.compare(">" if strictly else ">=", 0):
                raise Infeasible
            return
        form, factor, end = difference.normal()
        ends = self.known.setdefault(form, Ends())
        (ends.lows if factor > 0 else ends.highs).append(end)
        if any(high.surely_at_most(low) for high in ends.highs for low in ends.lows):
            raise Infeasible

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        if difference.parts:
            if symbol in ("==", "!="):
                return symbol == "!="  # noise is continuous: it hits one number with probability 0
            form, factor, end = difference.normal()
            below = symbol in ("<", "<=")
            return self.is_at_most(form, end) == (below == bool(factor > 0))
        offset: Offset = difference.offset
        if not offset.answers:
            return bool(offset.constant.compare(symbol, 0))
        if symbol in ("==", "!="):
            return self.holds(Guard("==", offset)) == (symbol == "==")
        # One form for both readings of a comparison, so that the same question has the same answer.
        if symbol in ("<", ">="):
            return self.holds(Guard(">=", offset)) == (symbol == ">=")
        return self.holds(Guard(">=", -offset)) == (symbol == "<=")


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
