"""The shifts of a shape at a border run: linear forms in the coefficients, with what a shift costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.finding.bounds.border_runs import BorderRun
from alignkit.finding.bounds.parametric_numbers import Number, ParameterRegion, Range, largest_of, sign_of
from alignkit.finding.bounds.public_runs import NothingForced
from alignkit.finding.paired_runs import Drawn, PairedRun
from alignkit.finding.shapes import CHANGE, DELTA, DOWN, LOSER, NAMED, UP, WINNER, Coefficient, Layout, Shape, Site
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency

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
    if not _cost_is_linear(distribution, upward):
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
