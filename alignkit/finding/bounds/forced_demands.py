"""What a border run forces on every valid alignment of a shape: demands that are linear in the coefficients.

Near a border run D gives one output ω, so that D′ gives ω on the shifted noise. If D′ has one way to ω, the noise
shifted must go this way: each of its comparisons, and each number of ω, is a demand on the shifts. Shifts of a shape
are continuous in the noise, so that the demands hold at the border run itself, with >= for every comparison.

The shifts of a shape at a border run: linear forms in the coefficients, with what a shift costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.errors import Infeasible, TooManyPaths
from alignkit.finding.bounds.border_runs import BorderRun
from alignkit.finding.bounds.parametric_numbers import Number, ParameterRegion, Range, largest_of, sign_of
from alignkit.finding.bounds.public_runs import (
    NoiseComparison,
    NothingForced,
    PublicPath,
    Special,
    run_on,
    sensitivity,
    sum_of,
)
from alignkit.finding.paired_runs import AnotherWay, Drawn, PairedRun
from alignkit.finding.shapes import CHANGE, DELTA, DOWN, LOSER, NAMED, UP, WINNER, Coefficient, Layout, Shape, Site
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.operations import COMPARE
from alignkit.interpreting.values import Members
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

Selection = Sequence[NoisyNumber]
"""The values that a program selects among."""

LinearForm = dict[Coefficient, Number]


@dataclass(frozen=True)
class Moved:
    """The shift of a draw, linear in the coefficients, and what a shift by 1 costs; of some draws, upwards only."""

    shift: LinearForm
    rate: Number
    upward: bool


def shift_forms(
    shape: Shape, border: BorderRun, values_: Mapping[str, Any], selections: Sequence[Selection]
) -> dict[str, LinearForm]:
    """The shift of each draw in terms of the coefficients; ``selections`` are the values that D′ selects among.

    A coefficient may be any number that depends on the public parameters, so that the sensitivity and the units of
    draws, which depend on these alone, are taken to be 1.
    """
    mechanism = shape.mechanism
    public = {name: border.values[name] for name in mechanism.public}
    answers, answers_ = ({n: v[n] for n in mechanism.private} for v in (border.values, values_))
    noise: Any = border.noise
    drawn = tuple(border.drawn.values())
    pair = PairedRun(Witness(public, answers, answers_), noise, border.output, drawn, (), {})
    return {str(d.where): _terms(shape, pair, d, border, selections) for d in drawn}


def _terms(
    shape: Shape, pair: PairedRun, drawn: Drawn, border: BorderRun, selections: Sequence[Selection]
) -> LinearForm:
    key, case = drawn.where.key, shape.case(pair, drawn)
    still = (key, case) in shape.still
    if case == (LOSER,) or (still and shape.adjacency not in (Adjacency.ONE, Adjacency.L1)):
        return {}
    if key in shape.given:
        return {(key, case, DELTA): Fraction(1)}
    values: dict[str, Number] = dict(_own_changes(shape, pair, drawn))
    if not still:
        values[DELTA] = Fraction(1)
    if shape.adjacency is Adjacency.MONOTONE and not still:
        values[UP if _rises(pair) else DOWN] = Fraction(1)
    if shape.by_output and shape.sites[key] is Site.SINGLE:
        values |= _named_change(shape, pair)
    if shape.best_loser and case == (WINNER,):
        values[CHANGE] = _change_of_best_loser(shape, pair, key, border, selections)
    return {(key, case, term): value for term, value in values.items() if sign_of(value)}


def _all_answers(shape: Shape, pair: PairedRun) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """The answers that indexed draws go with, on D and on D′, with the public numbers among them."""
    if shape.answers is None:
        return (), ()
    public = pair.witness.public
    before, after = ([public[n] for n in names] for names in (shape.answers.before, shape.answers.after))
    one, other = pair.witness.q[shape.answers.vector], pair.witness.q_[shape.answers.vector]
    return (*before, *one, *after), (*before, *other, *after)


def _own_changes(shape: Shape, pair: PairedRun, drawn: Drawn) -> Iterator[tuple[str, Number]]:
    """The changes of the answers that a draw goes with: those at its position, and single ones."""
    for name, kind in shape.mechanism.private.items():
        one, other, index = pair.witness.q[name], pair.witness.q_[name], drawn.where.index
        if not kind.vector:
            yield name, one - other
            continue
        if shape.answers is not None and name == shape.answers.vector:
            one, other = _all_answers(shape, pair)
        if len(index) == 1 and index[0] < len(one):
            yield name, one[index[0]] - other[index[0]]


def _named_change(shape: Shape, pair: PairedRun) -> dict[str, Number]:
    """The change of the one answer that the output names; nothing where it may name several or none."""
    if shape.layout not in (Layout.POSITION, Layout.WITH_NUMBERS):
        return {}
    one, other = _all_answers(shape, pair)
    named = [i for i in sorted(shape.named(pair.output)) if i < len(one)]
    return {NAMED: one[named[0]] - other[named[0]]} if named else {}


def _rises(pair: PairedRun) -> bool:
    for name, value in pair.witness.q.items():
        other = pair.witness.q_[name]
        listed = zip(value, other, strict=True) if isinstance(value, tuple) else [(value, other)]
        if any(sign_of(b - a) < 0 for a, b in listed):
            return False
    return True


def _change_of_best_loser(
    shape: Shape, pair: PairedRun, key: str, border: BorderRun, selections: Sequence[Selection]
) -> Number:
    """By how much the largest noisy answer that the output does not name changes, noise counted once."""
    answers, answers_ = _all_answers(shape, pair)
    changed = [i for i, (a, b) in enumerate(zip(answers, answers_, strict=True)) if sign_of(b - a)]
    losers = [i for i in range(len(answers)) if i not in shape.named(pair.output)]
    if not changed or not losers:
        return Fraction(0)
    if len(border.selections) != 1 or len(selections) != 1:
        raise NothingForced("there is no one selection whose losers are meant")
    one, other = border.selections[0], selections[0]
    names = [[f"{key}[{i}]"] for i in range(len(answers))]
    if any([list(number.parts) for number in values] != names for values in (one, other)):
        raise NothingForced("the selection is not among noisy answers")
    factor = one[0].parts[names[0][0]]
    first = changed[0]
    unit = (other[first].offset - one[first].offset) / (answers_[first] - answers[first])
    beside = [v.offset - unit * a for v, a in zip((*one, *other), (*answers, *answers_), strict=True)]
    factors = [f for v in (*one, *other) for f in v.parts.values()]
    if any(sign_of(b - beside[0]) for b in beside) or any(sign_of(f - factor) for f in factors) or sign_of(factor) < 0:
        raise NothingForced("the selection is not among answers with noise alone")
    before, after = (largest_of(border.value(values[i]) / factor for i in losers) for values in (one, other))
    return after - before


def moved_by(drawn: Drawn, shift: LinearForm) -> Moved:
    """A shift with what it costs."""
    distribution = drawn.distribution
    upward = distribution.support.one_sided or distribution.upward
    if not (distribution.homogeneous and _cost_is_linear(distribution, upward)):
        raise NothingForced("the cost of a shift is no multiple of its size")
    return Moved(shift, distribution.cost(Fraction(1), *drawn.arguments), upward)


@lru_cache(maxsize=64)
def _cost_is_linear(distribution: Distribution, upward: bool) -> bool:
    """Whether a shift s costs |s| times what a shift by 1 costs; where only shifts upward are meant, for these."""
    names = ["shift", *(parameter.name for parameter in distribution.parameters)]
    region = ParameterRegion(dict.fromkeys(names, Range.POSITIVE))
    shift, *parameters = map(region.symbol, names)
    cost = distribution.cost(Fraction(1), *parameters) * shift
    one_way = distribution.cost(shift, *parameters) == cost
    return bool(one_way and (upward or distribution.cost(-shift, *parameters) == cost))


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
