"""Shapes of alignments: which shifts share their coefficients, and what a shift may be a combination of.

A shift is a linear combination of terms, with coefficients of its own for each draw and for what the output says of it:

* plain: the sensitivity Δ; the change of the draw's own answer; under ``monotone`` also Δ where the answers rise or
  where they fall;
* by output: the same, and a single draw may also go by the kind of the one output, and by the change of the answer
  that it names;
* best loser: the same, and for the winners also the change of the largest noisy loser;
* raised: nothing is lowered. The winners keep their lead over one level, to which the best loser on D is raised where
  all losers of D′ would stay below it. This shape has no coefficients to choose;
* sums: as plain, and a single draw may also move by the change of a sum of answers (one or l1 only);
* one shift first: as plain, but a single draw moves by Δ or by -Δ from the start, and D′ decides by itself what it asks
  of this draw alone, such as where it is clamped.

What the output says of a draw: of one in the loop that gives the outputs, which kind of output its own is; of one of a
vector, whether the output names its position. Losers of a selection do not move. What may be repeated without bound
does not move either or, where one answer changes or all changes together are bounded, by the change of its own answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.finding.output_parts import in_step, named_part
from alignkit.finding.paired_runs import Drawn, PairedRun, positions_in
from alignkit.finding.sums import on_the_neighbour, value_of
from alignkit.language.tags import Tag
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import largest_change
from alignkit.running.mechanism_decorator import Mechanism

if TYPE_CHECKING:
    from alignkit.finding.noise_limits import LimitedDraws


class Site(Enum):
    """Where a draw stands."""

    SINGLE = "a single draw"
    LOOP = "a draw in the loop that gives the outputs"
    VECTOR = "a vector of draws, one for each answer"


class Layout(Enum):
    """What an output is, as far as it names positions."""

    NO_POSITION = "no position"
    POSITION = "a position"
    POSITIONS = "positions"
    WITH_NUMBERS = "a position with numbers"
    LIST_WITH_NUMBERS = "positions with numbers"


WINNER, LOSER, RAISED = "winner", "loser", "raised loser"
DELTA, UP, DOWN, NAMED, CHANGE, LIFT = "Δ", "up", "down", "named", "change", "lift"

PLAIN, RELEASED = "plain", "released-sums"

SHAPES = (PLAIN, "by-output", "best-loser", "raised", "sums", "one-shift-first", RELEASED)

Case = tuple[str, ...]
"""What the output says of a draw: a kind of output, WINNER or LOSER, or nothing."""

ZERO: Case = ("zero",)

Coefficient = tuple[str, Case, str]
"""The key of a draw, a case, and a term."""

Linear = dict[Coefficient, Fraction]
"""A linear form in the coefficients."""


@dataclass(frozen=True)
class Answers:
    """The answers that indexed draws go with: a private vector, with public numbers before and after it."""

    vector: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    def of(self, values: Mapping[str, Any], public: Mapping[str, Any]) -> list[Fraction]:
        """The answers, where the private parameters have these values."""
        parts = [public[n] for n in self.before], values[self.vector], [public[n] for n in self.after]
        return [Fraction(x) for part in parts for x in part]


@dataclass(frozen=True)
class Shape:
    """What the shifts of a mechanism's draws may be combinations of."""

    mechanism: Mechanism
    adjacency: Adjacency
    sites: dict[str, Site]
    layout: Layout
    answers: Answers | None  # None where no private parameter is a vector
    still: frozenset[tuple[str, Case]] = frozenset()  # cases of draws that do not move
    by_output: bool = False
    best_loser: bool = False
    raised: bool = False
    sums: tuple[str, ...] = ()  # sums of answers by whose change single draws may move
    zeros: bool = False  # whether an output 0 is a kind of its own, beside noisy numbers
    beside: tuple[str, ...] = ()  # other vectors, of whose answers at the named position single draws may cover changes
    lone_tags: tuple[str, ...] = ()  # what a function may return in place of a position with numbers
    outputs_beyond: bool = False  # whether there may be more outputs than answers
    offsets: Mapping[str, str] = field(default_factory=dict)  # of draws in later loops: the outputs before, as text
    ranges: Mapping[str, str] = field(default_factory=dict)  # of draws in loops that do not give all outputs: how many
    places: Mapping[str, int] = field(default_factory=dict)  # which part of the output names one of the draws of a key
    own_name: bool = False  # whether draws in the loop go with the answer that their own output names
    given: Mapping[str, Fraction] = field(default_factory=dict)  # shifts of single draws, in sensitivities
    limited: LimitedDraws | None = None  # the draws that may have limits, for a claim with delta
    _known: dict[int, tuple[PairedRun, dict[str, Linear]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )  # the shifts of pairs, which are asked for again and again; by identity, for as long as the shape lives

    @property
    def name(self) -> str:
        """The shape's name: one of SHAPES."""
        chosen = (self.by_output, self.best_loser, self.raised, bool(self.sums), bool(self.given))
        return next((name for name, yes in zip(SHAPES[1:], chosen, strict=False) if yes), SHAPES[0])

    def case(self, pair: PairedRun, drawn: Drawn) -> Case:
        """What the output of a run says of one of its draws."""
        site = self.sites[drawn.where.key]
        if site is Site.LOOP:
            position = drawn.outputs_before
            return self.kind(pair.output[position]) if position < len(pair.output) else ("none",)
        if site is Site.VECTOR and drawn.where.key in self.places:
            named = named_part(pair.output, self.places[drawn.where.key])
            return (WINNER,) if drawn.where.index[0] == named else (LOSER,)
        if site is Site.VECTOR and self.layout is not Layout.NO_POSITION:
            position = drawn.where.index[0]
            if position in self.named(pair.output):
                return (WINNER,)
            return (RAISED if self.raised and self._is_raised(pair, drawn.where.key, position) else LOSER,)
        if site is Site.SINGLE and self.by_output:
            return self.kind(_first(pair.output))
        return ()

    def kind(self, output: Any) -> Case:
        """The kind of one output, as this shape tells them apart."""
        return ZERO if self.zeros and is_zero(output) else kind_of_output(output)

    def named(self, output: Any) -> frozenset[int]:
        """The positions that an output names."""
        return output_positions(self.layout, output)

    def shifts(self, pair: PairedRun) -> dict[str, Linear]:
        """The shift of each draw of a pair, as a linear form in the coefficients."""
        if id(pair) not in self._known:
            shifts = {
                str(drawn.where): {term: value for term, value in self.terms(pair, drawn) if value}
                for drawn in pair.drawn
            }
            self._known[id(pair)] = pair, shifts
        return self._known[id(pair)][1]

    def terms(self, pair: PairedRun, drawn: Drawn) -> list[tuple[Coefficient, Fraction]]:
        """The terms of a shift with their values on a pair."""
        key, case = drawn.where.key, self.case(pair, drawn)
        still = (key, case) in self.still
        if case == (LOSER,) or (still and self.adjacency not in (Adjacency.ONE, Adjacency.L1)):
            return []
        unit = pair.units.get(key, Fraction(1))
        public = pair.witness.public
        values: dict[str, Fraction] = {}
        if key in self.given:
            return [((key, case, DELTA), self._sensitivity(public))]
        if self.raised:
            levels = self._levels(pair, key)
            values[LIFT] = Fraction(0) if levels is None else levels.level - levels.before
        elif not still:
            values[DELTA] = unit * self._sensitivity(public)
        if self.by_output and self.sites[key] is Site.SINGLE:
            values |= self._named_change(pair, unit)
        if self.adjacency is Adjacency.MONOTONE and DELTA in values:
            values |= {UP: values[DELTA] * rises(pair), DOWN: values[DELTA] * (not rises(pair))}
        if self.own_name and self.sites[key] is Site.LOOP:
            values[NAMED] = unit * self._change_at_own_name(pair, drawn)
        else:
            values |= {name: unit * (one - other) for name, (one, other) in self._own_answers(pair, drawn).items()}
        if self.sites[key] is Site.SINGLE:
            values |= {text: change for text in self.sums if (change := self._change_of_sum(pair, text)) is not None}
        if self.best_loser and case == (WINNER,):
            values[CHANGE] = self._change_of_best_loser(pair, key, unit)
        return [((key, case, term), value) for term, value in values.items()]

    def keeps_up(self, drawn: Drawn) -> bool:
        """Whether a draw is never moved down."""
        may_fall = self.limited is not None and drawn.where.key in self.limited.relaxed
        return drawn.distribution.upward or (drawn.distribution.support.one_sided and not may_fall)

    def given_shifts(self, pair: PairedRun) -> dict[str, Fraction]:
        """The shifts, by key, of the draws whose shifts are given."""
        return {key: share * self._sensitivity(pair.witness.public) for key, share in self.given.items()}

    def _sensitivity(self, public: Mapping[str, Any]) -> Fraction:
        return max(Fraction(largest_change(self.mechanism, name, public)) for name in self.mechanism.private)

    def _own_answers(self, pair: PairedRun, drawn: Drawn) -> dict[str, tuple[Fraction, Fraction]]:
        """The answers that a draw goes with, on D and on D′: those at its position, and single ones."""
        index = drawn.where.index
        found = {}
        for name, kind in self.mechanism.private.items():
            one, other = pair.witness.values[name], pair.witness.values_[name]
            if not kind.vector:
                found[name] = (Fraction(one), Fraction(other))
                continue
            if self.answers is not None and name == self.answers.vector:
                one, other = self.both_answers(pair)
            if len(index) == 1 and index[0] < len(one):
                found[name] = (Fraction(one[index[0]]), Fraction(other[index[0]]))
        return found

    def _named_change(self, pair: PairedRun, unit: Fraction) -> dict[str, Fraction]:
        """The change of the one answer that the output names; nothing where it may name several or none."""
        if self.layout not in (Layout.POSITION, Layout.WITH_NUMBERS):
            return {}
        changes = {}
        for vector in ("", *self.beside):
            one, other = self._both(pair, vector) if vector else self.both_answers(pair)
            named = [i for i in sorted(self.named(pair.output)) if i < len(one)]
            change = one[named[0]] - other[named[0]] if named else Fraction(0)
            changes[f"{NAMED} {vector}".strip()] = unit * change
        return changes

    def _change_at_own_name(self, pair: PairedRun, drawn: Drawn) -> Fraction:
        one, other = self.both_answers(pair)
        place = drawn.where.index[0]
        position = pair.output[place][0] if place < len(pair.output) else len(one)
        return one[position] - other[position] if position < len(one) else Fraction(0)

    def _both(self, pair: PairedRun, vector: str) -> tuple[list[Fraction], list[Fraction]]:
        one, other = ([Fraction(x) for x in values[vector]] for values in (pair.witness.values, pair.witness.values_))
        return one, other

    def _change_of_sum(self, pair: PairedRun, text: str) -> Fraction | None:
        """The change of a sum of answers; None where it is undefined. It is counted in no unit."""
        values = pair.witness.values_
        other = {f"{name}_": values[name] for name in values}
        one = value_of(self.mechanism, text, pair.witness.values, pair.witness.public)
        changed = value_of(self.mechanism, on_the_neighbour(self.mechanism, text), other, pair.witness.public)
        return None if one is None or changed is None else one - changed

    def both_answers(self, pair: PairedRun) -> tuple[list[Fraction], list[Fraction]]:
        """The answers that indexed draws go with, on D and on D′."""
        if self.answers is None:
            return [], []
        public = pair.witness.public
        return self.answers.of(pair.witness.values, public), self.answers.of(pair.witness.values_, public)

    def _change_of_best_loser(self, pair: PairedRun, key: str, unit: Fraction) -> Fraction:
        levels = self._levels(pair, key)
        return Fraction(0) if levels is None else levels.after - levels.before

    def _levels(self, pair: PairedRun, key: str) -> Levels | None:
        """The largest noisy losers; None where every position is named."""
        one, other = self.both_answers(pair)
        named = {i for i in self.named(pair.output) if i < len(one)}
        losers = [i for i in range(len(one)) if i not in named and f"{key}[{i}]" in pair.noise]
        if not losers:
            return None
        unit = pair.units.get(key, Fraction(1))

        def best(answers: Sequence[Fraction]) -> Fraction:
            return max(Fraction(unit * answers[i] + pair.noise[f"{key}[{i}]"]) for i in losers)

        before, after = best(one), best(other)
        most = max((Fraction(unit * (other[i] - one[i])) for i in named), default=Fraction(0))
        return Levels(before, after, max(after, before + most))

    def _is_raised(self, pair: PairedRun, key: str, position: int) -> bool:
        levels = self._levels(pair, key)
        answers, _ = self.both_answers(pair)
        if levels is None or position >= len(answers) or levels.after >= levels.level:
            return False
        unit, named = pair.units.get(key, Fraction(1)), self.named(pair.output)
        best = (i for i in range(len(answers)) if i not in named)
        # Of tied losers one is counted: ties have probability 0.
        return position == next(i for i in best if unit * answers[i] + pair.noise[f"{key}[{i}]"] == levels.before)


@dataclass(frozen=True)
class Levels:
    """The largest noisy loser on D and on D′, and a level that is no lower, over which the winners keep their lead."""

    before: Fraction
    after: Fraction
    level: Fraction


def rises(pair: PairedRun) -> bool:
    """Whether no answer falls from D to D′."""
    pairs = [(value, pair.witness.values_[name]) for name, value in pair.witness.q.items()]
    return all(
        all(a <= b for a, b in zip(one, other, strict=True)) if isinstance(one, tuple) else one <= other
        for one, other in pairs
    )


def is_zero(output: Any) -> bool:
    """Whether an output is the number 0 without noise."""
    return isinstance(output, int | Fraction) and not isinstance(output, bool) and output == 0


def output_positions(layout: Layout, output: Any) -> frozenset[int]:
    """The positions that an output names, where outputs are laid out so."""
    if layout is Layout.WITH_NUMBERS:
        output = output[0] if isinstance(output, tuple) and _is_position(output[0]) else ()
    return frozenset(positions_in(output))


def kind_of_output(output: Any) -> Case:
    """The kind of one output: its tag, the tag that it begins with, its truth value, or that it is a number.

    >>> kind_of_output(Tag("TOP")), kind_of_output((Tag("TOP"), 3)), kind_of_output(3)
    (('tag', 'TOP'), ('first', 'TOP'), ('number',))
    """
    if isinstance(output, Tag):
        return ("tag", output.name)
    if isinstance(output, bool):
        return ("truth", str(output))
    if isinstance(output, tuple):
        first = output[0] if output else None
        return ("first", first.name) if isinstance(first, Tag) else ("tuple",)
    return ("number",)


def _first(output: Any) -> Any:
    if isinstance(output, tuple) and output and not isinstance(output[0], NoisyNumber | int):
        return output[0]
    return output


def sites(mechanism: Mechanism, pairs: Sequence[PairedRun]) -> dict[str, Site]:
    """Where each draw stands, as the runs show."""
    found = {}
    for draw in mechanism.draws:
        drawn = [d for pair in pairs for d in pair.drawn if d.where.key == draw.key]
        if all(not d.where.index for d in drawn):
            found[draw.key] = Site.SINGLE
        elif mechanism.program.is_generator and (
            all(d.where.index == (d.outputs_before,) for d in drawn)
            or in_step(mechanism, draw.key, [_of_key(pair, draw.key) for pair in pairs])
        ):
            found[draw.key] = Site.LOOP
        else:
            found[draw.key] = Site.VECTOR
    return found


def _of_key(pair: PairedRun, key: str) -> list[Drawn]:
    return [drawn for drawn in pair.drawn if drawn.where.key == key]


def layout(outputs: Sequence[Any], *, stream: bool) -> Layout:
    """How outputs name positions, if they do; ``stream`` is whether each output is a list of those that were yielded.
    """
    # A function that returns a tag with numbers, where it has no position to return, says nothing of the others.
    others = [o for o in outputs if stream or not (isinstance(o, tuple) and o and isinstance(o[0], Tag))]
    layouts = {_layout(output) for output in others} - {None}
    return (layouts.pop() if len(layouts) == 1 else None) or Layout.NO_POSITION


def _layout(output: Any) -> Layout | None:
    if _is_position(output):
        return Layout.POSITION
    if isinstance(output, Tag):
        return None  # other runs may name a position
    if not isinstance(output, tuple):
        return Layout.NO_POSITION
    if not output:
        return None
    if all(map(_is_position, output)):
        return Layout.POSITIONS
    if _is_position(output[0]) and not any(isinstance(part, tuple) for part in output):
        return Layout.WITH_NUMBERS
    if all(isinstance(part, tuple) and part and _is_position(part[0]) for part in output):
        return Layout.LIST_WITH_NUMBERS
    return Layout.NO_POSITION


def _is_position(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
