"""What a border run forces on every valid alignment of a shape: demands that are linear in the coefficients.

Near a border run D gives one output ω, so that D′ gives ω on the shifted noise. If D′ has one way to ω, the noise
shifted must go this way: each of its comparisons, and each number of ω, is a demand on the shifts. Shifts of a shape
are continuous in the noise, so that the demands hold at the border run itself, with >= for every comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.errors import Infeasible, TooManyPaths
from alignkit.finding.bounds.border_runs import BorderRun
from alignkit.finding.bounds.parametric_numbers import Number, largest_of, sign_of
from alignkit.finding.bounds.public_runs import NoiseComparison, NothingForced, PublicPath, Special, run_on, sum_of
from alignkit.finding.bounds.public_settings import sensitivity
from alignkit.finding.bounds.shifts_at_borders import LinearForm, Moved, moved_by, shift_forms
from alignkit.finding.paired_runs import AnotherWay, Drawn
from alignkit.finding.shapes import Shape
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Members
from alignkit.running.mechanism_decorator import Mechanism

# A run is dropped where D′ has more ways than this before they are seen not to give the output.
_MOST_WAYS = 400

@dataclass(frozen=True)
class Forced:
    """A demand that is forced: form >= bound, or form == bound."""

    form: LinearForm
    bound: Number
    equal: bool = False


@dataclass(frozen=True, eq=False)
class ForcedRun:
    """A border run with an adjacent D′: what its shifts are, and what is forced on them.

    ``given_cost`` is what those shifts cost that the shape gives from the start.
    """

    border: BorderRun
    values_: Mapping[str, Any]
    moved: tuple[Moved, ...]
    demands: tuple[Forced, ...]
    given_cost: Number


def forced_run(
    shape: Shape, border: BorderRun, values_: Mapping[str, Any], special: Special, *, thorough: bool
) -> ForcedRun:
    """What a border run forces. Raises NothingForced, or another AlignkitError, where nothing was shown.

    Unless ``thorough``, D′ is led the way of D, and other ways to the same output are not looked for: the demands may
    then be more than is forced.
    """
    way = _only_way(shape.mechanism, border, values_, special, thorough=thorough)
    shifts = shift_forms(shape, border, values_, way.selections)
    moved = tuple(moved_by(drawn, shifts[name]) for name, drawn in border.drawn.items() if shifts[name])
    given = dict(_given(shape, border))
    demands = (*_demands(border, way, shifts), *(Forced(shifts[n], shift, equal=True) for n, shift in given.items()))
    cost = sum_of(moved_by(border.drawn[n], shifts[n]).rate * abs(shift) for n, shift in given.items())
    return ForcedRun(border, values_, moved, demands, cost)


# The ways of D′


@dataclass(eq=False, kw_only=True)
class _WayOfDPrime(PublicPath):
    """A run on D′, which ends where its output differs from the one on D."""

    border: BorderRun
    numbers: list[tuple[Any, Any]] = field(default_factory=list)  # of the output, on D and on D′
    selections: list[Any] = field(default_factory=list)
    outputs: int = 0

    def emit(self, value: Any) -> None:
        if self.outputs >= len(self.border.output):
            raise AnotherWay
        self.match(self.border.output[self.outputs], value)
        self.outputs += 1

    def decide(self, difference: NoisyNumber, symbol: str) -> bool:
        return self.choices.choose(2) == 0

    def select_largest(self, values: Any, k: int) -> tuple[int, ...]:
        self.selections.append(values)
        return super().select_largest(values, k)

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        difference, symbol = one - other, ">" if strictly else ">="
        if difference.parts:
            self.compared.append(NoiseComparison(difference, symbol, holds=True))
        elif not COMPARE[symbol](sign_of(difference.offset), 0):
            raise AnotherWay

    def match(self, one: Any, other: Any) -> None:
        """Compare an output of D with one of D′. Raises AnotherWay where they differ whatever the noise is."""
        if isinstance(one, Members) and isinstance(other, Members):
            one, other = _in_order(one), _in_order(other)
        if isinstance(one, tuple) and isinstance(other, tuple):
            if len(one) != len(other):
                raise AnotherWay
            for part, part_ in zip(one, other, strict=True):
                self.match(part, part_)
        elif _is_number(one) and _is_number(other):
            before, after = self.lift(one), self.lift(other)
            if before.parts or after.parts:
                self.numbers.append((before, after))
            elif sign_of(before.offset - after.offset):
                raise AnotherWay
        elif one is not other and (_is_number(one) or _is_number(other) or one != other):
            raise AnotherWay


def _in_order(members: Members) -> tuple[int, ...]:
    if not all(isinstance(item, int) for item in members.items):
        raise NothingForced("a set of other things than positions")
    return tuple(sorted(set(members.items)))


def _is_number(value: Any) -> bool:
    return hasattr(value, "compare") or isinstance(value, int | Fraction)


def _only_way(
    mechanism: Mechanism, border: BorderRun, values_: Mapping[str, Any], special: Special, *, thorough: bool
) -> _WayOfDPrime:
    """The one way of D′ to the output of a border run. Raises NothingForced where there are several, or none."""

    def run(choices: Choices) -> _WayOfDPrime | None:
        path = _WayOfDPrime(choices, border=border)
        try:
            output = run_on(mechanism, values_, path, special)
            if not mechanism.program.is_generator:
                path.match(border.output, output)
            elif len(output) != len(border.output):
                return None
        except (AnotherWay, Infeasible):
            return None
        return path

    try:
        runs = explore(run, _MOST_WAYS) if thorough else iter([run(Choices(list(border.decisions)))])
        found = [path for path in runs if path is not None]
    except TooManyPaths:
        raise NothingForced("D' has too many ways") from None
    if len(found) != 1:
        raise NothingForced("D' has several ways to the output, or none")
    (path,) = found
    if path.drawn.keys() != border.drawn.keys() or any(map(_differ, path.drawn.values(), border.drawn.values())):
        raise NothingForced("D' draws other noise")
    return path


def _differ(one: Drawn, other: Drawn) -> bool:
    if one.where != other.where or one.distribution is not other.distribution:
        return True
    return any(sign_of(a - b) for a, b in zip(one.arguments, other.arguments, strict=True))


# Demands


def _demands(border: BorderRun, way: _WayOfDPrime, shifts: Mapping[str, LinearForm]) -> Iterator[Forced]:
    for comparison in way.compared:
        difference, sign = comparison.difference, comparison.direction
        # Noise on a lattice that must not be at the border is a step away from it.
        step = way.step(difference) if comparison.strict else None
        least = Fraction(0) if step is None else step
        form = _of_shifts(difference.parts, shifts)
        value = sign * border.value(difference)
        yield Forced({key: sign * factor for key, factor in form.items()}, least - value)
    for before, after in way.numbers:
        yield Forced(_of_shifts(after.parts, shifts), border.value(before) - border.value(after), equal=True)


def _given(shape: Shape, border: BorderRun) -> Iterator[tuple[str, Number]]:
    """The draws whose shifts the shape gives, with these."""
    for name, drawn in border.drawn.items():
        share = shape.given.get(drawn.where.key)
        if share is not None:
            sensitivities = (sensitivity(shape.mechanism, each, border.values) for each in shape.mechanism.private)
            yield name, share * largest_of(sensitivities)


def _of_shifts(parts: Mapping[str, Any], shifts: Mapping[str, LinearForm]) -> LinearForm:
    form: LinearForm = {}
    for name, factor in parts.items():
        for key, value in shifts[name].items():
            form[key] = form.get(key, Fraction(0)) + factor * value
    return form
