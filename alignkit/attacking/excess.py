"""The outputs that are more than e^epsilon times as likely on D: what two inputs show of a delta. Nothing is sound.

Over outputs or sets of them that are apart, the sum of P(E) - e^epsilon P′(E) where that is above 0 is at most the
delta of the mechanism at epsilon, and over all single outputs it is the most that the two inputs show. So no event is
searched for, only inputs are: the outputs follow. A real number of an output is cut into intervals, first at the
numbers that it is without noise and at the ends that a path sets to it, then wherever a cut shows more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from alignkit.arithmetic.affine import NoisyNumber
from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase
from alignkit.attacking.closed_forms.certified_losses import estimated
from alignkit.attacking.closed_forms.covering import output_skeleton, serving
from alignkit.attacking.closed_forms.covers import Cover, Template, answers_by_name
from alignkit.attacking.closed_forms.lattice_laws import LatticeLaw, on_lattice
from alignkit.errors import TooRare
from alignkit.limits import Deadline, StepLimit
from alignkit.output_events import ANY_OUTPUT, ANYTHING, Either, Event, Interval, apart, flattened, with_parts
from alignkit.running.enclosing import Enclosed

# How many steps of the runs that a law is made of are one evaluation's work, and how many a law may take.
STEPS_A_WORK, _MOST_STEPS = 10, 10**6

# Sets of outputs that one pattern is cut into at first, and at most; the share of the whole that a cut must show more.
_FIRST, _MOST = 40, 160
_GAIN = 1e-4

# Where noise is on a lattice and there are few answers, the numbers of an output are told apart that are no larger than
# the case's own, and than the first of these; where there are more answers, those up to the second, and for many none.
_WIDE, _NARROW = 40, 3
_FEW, _SOME = 2, 3

# How many sensitivities from its only end an interval is cut.
_FAR = (Fraction(1, 2), Fraction(1), Fraction(4))

# And at which shares of it one with both ends is.
_SHARES = tuple(Fraction(i, 64) for i in (1, 4, 16, 32, 48, 60, 63))

# By how much an interval is moved off a single number at its end.
_NUDGE = Fraction(1, 2**20)

# An output is no likelier on D than e^epsilon times on D' where it is by rounding alone.
_ROUNDING = 1e-9


class Likelihood(NamedTuple):
    """A set of outputs as a pattern, with its probability on D and on D′."""

    pattern: Any
    on_d: float
    on_d_prime: float

    def excess(self, factor: float) -> float:
        """By how much the probability on D is above ``factor`` times that on D′; 0 where it is not."""
        allowed = factor * self.on_d_prime if self.on_d_prime else 0.0
        return self.on_d - allowed if self.on_d > allowed * (1 + _ROUNDING) else 0.0


@dataclass
class Excess:
    """Computes for inputs which outputs are too likely; keeps what serves other inputs, too, and counts its work."""

    aim: AttackAim
    deadline: Deadline
    work: float = 0.0
    covers: dict[Any, list[Cover]] = field(default_factory=dict)
    laws: dict[Any, dict[Any, float]] = field(default_factory=dict)

    def factor(self, case: AttackCase) -> float:
        """About e^epsilon for the inputs of a case."""
        claimed = self.aim.claimed(case.inputs.values, ANY_OUTPUT)
        assert claimed is not None
        return math.exp(min(claimed, 700.0))

    def outputs(self, case: AttackCase, *, closely: bool = False) -> list[Likelihood]:
        """All outputs of a case, in sets that are apart; ``closely`` cuts them where more shows."""
        if on_lattice(self.aim.mechanism):
            return self._on_lattice(case)
        values, values_ = case.inputs.values, case.inputs.values_
        groups, groups_ = self._by_pattern(case, values), self._by_pattern(case, values_)
        factor, found = self.factor(case), []
        for pattern in dict.fromkeys([*groups, *groups_]):
            covered, covered_ = groups.get(pattern), groups_.get(pattern)

            def likelihood(
                cell: Any, one: Cover | None = covered, other: Cover | None = covered_
            ) -> Likelihood:
                return Likelihood(cell, self._chance(one, values, cell), self._chance(other, values_, cell))

            cells = [likelihood(cell) for cell in _cells(pattern, self._marks(case, (covered, covered_)))]
            found += _cut(cells, likelihood, factor, max(case.private.bounds)) if closely else cells
        return found

    def worst_event(self, case: AttackCase, *, closely: bool = False) -> Event | None:
        """The event of all outputs of a case that are too likely; None where there are none."""
        return worst_event(self.outputs(case, closely=closely), self.factor(case))

    def _on_lattice(self, case: AttackCase) -> list[Likelihood]:
        law, law_ = (self._law(case, values) for values in (case.inputs.values, case.inputs.values_))
        return [Likelihood(output, law.get(output, 0.0), law_.get(output, 0.0)) for output in {**law, **law_}]

    def _law(self, case: AttackCase, values: Mapping[str, Any]) -> dict[Any, float]:
        window = _window(case)
        key = (window, *values.items())
        if key not in self.laws:
            limit = StepLimit.of(self._steps_left, self.deadline)
            before = limit.steps.left
            try:
                self.laws[key] = LatticeLaw.of(self.aim.mechanism, values, window, limit).estimates_by_pattern()
            finally:
                self._spend(before - limit.steps.left)
        return self.laws[key]

    @property
    def _steps_left(self) -> int:
        return self.deadline.steps.left if isinstance(self.deadline, StepLimit) else _MOST_STEPS

    def _spend(self, steps: int) -> None:
        self.work += steps / STEPS_A_WORK
        if isinstance(self.deadline, StepLimit):
            self.deadline.steps.left -= steps

    def _by_pattern(self, case: AttackCase, values: Mapping[str, Any]) -> dict[Any, Cover]:
        """The paths to each pattern of outputs; an interval without ends stands for a number with noise."""
        covers = self.covers.setdefault((case.private.size, *case.public.items()), [])
        covered = serving(covers, self.aim.mechanism, values, ANY_OUTPUT, self.deadline)
        covered.at(values, ANY_OUTPUT)  # raises where the mechanism is not defined
        answers = answers_by_name(self.aim.mechanism, values)
        groups: dict[Any, list[Template]] = {}
        for template in covered.templates:
            if template.problem is None:
                groups.setdefault(output_skeleton(template.output, answers), []).append(template)
        return {pattern: Cover(covered.mechanism, tuple(some), covered.guards) for pattern, some in groups.items()}

    def _chance(self, covered: Cover | None, values: Mapping[str, Any], pattern: Any) -> float:
        if covered is None:
            return 0.0
        self.work += covered.work / 4
        try:
            return estimated(covered, values, Event(pattern), self.deadline)
        except TooRare:
            return 0.0

    def _marks(self, case: AttackCase, covers: Sequence[Cover | None]) -> list[list[Fraction]]:
        """For each number with noise of a pattern, what it is without noise on D and D′, and the ends it has there."""
        marks: dict[int, dict[Fraction, None]] = {}
        for covered, values in zip(covers, (case.inputs.values, case.inputs.values_), strict=True):
            answers = answers_by_name(self.aim.mechanism, values)
            for template in () if covered is None else covered.templates:
                noisy = (part for part in flattened(template.output) if isinstance(part, NoisyNumber))
                for number, part in enumerate(part for part in noisy if _is_open(part, answers)):
                    marks.setdefault(number, {}).update(dict.fromkeys(_numbers(template, part, answers)))
        return [list(marks[number]) for number in sorted(marks)]


def worst_event(outputs: Sequence[Likelihood], factor: float) -> Event | None:
    """The event of the outputs that are too likely, in as few patterns as it takes; None where there are none."""
    inside = [one.pattern for one in outputs if one.excess(factor) > 0]
    outside = [one.pattern for one in outputs if one.excess(factor) <= 0 and (one.on_d or one.on_d_prime)]
    if not inside:
        return None
    if not _has_cells([*inside, *outside]):
        patterns, others = inside, outside
    else:
        # A single number of probability above 0, such as the end of a clamp, may lie at the end of an interval.
        single = [pattern for pattern in outside if not _has_cells([pattern])]
        patterns = _joined([_beside(pattern, single) for pattern in inside])
        patterns = [one for one in patterns if not any(other is not one and _within(one, other) for other in patterns)]
        others = _joined(outside)
        if not all(itertools.starmap(apart, itertools.combinations([*patterns, *others], 2))):
            others = patterns
    if len(patterns) == 1:
        return Event(patterns[0])
    return Event(Either(tuple(others), none=True) if len(others) < len(patterns) else Either(tuple(patterns)))


def _has_cells(patterns: Sequence[Any]) -> bool:
    return any(isinstance(part, Interval) for pattern in patterns for part in flattened(pattern))


def _beside(pattern: Any, single: Sequence[Any]) -> Any:
    """The pattern without outputs of probability above 0 at the lower ends of its intervals."""
    if all(apart(pattern, other) for other in single):
        return pattern
    moved = (
        Interval(part.low + _NUDGE, part.high) if isinstance(part, Interval) and part.low is not None else part
        for part in flattened(pattern)
    )
    return with_parts(pattern, list(moved))


def _within(one: Any, other: Any) -> bool:
    """Whether each output that fits one pattern fits another too, as far as it is told here."""
    parts, others = list(flattened(one)), list(flattened(other))
    both = zip(parts, others, strict=False)
    return len(parts) == len(others) and all(a == b or (isinstance(b, Interval) and a in b) for a, b in both)


def _window(case: AttackCase) -> Fraction:
    """A window beyond the numbers of a case; it ends between whole numbers, so that no number is at its end."""
    count = len(case.answers)
    if count > _FEW:
        return Fraction(_NARROW if count <= _SOME else 0) + Fraction(1, 2)
    public = (case.public[name] for name, kind in case.private.mechanism.public.items() if not kind.integer)
    changed = (a + c for a, c in zip(case.answers, case.changes, strict=True))
    near = [Fraction(x) for x in (*public, *case.answers, *changed) if isinstance(x, int | Fraction)]
    return max([Fraction(_NARROW), *(Fraction(math.floor(abs(x))) for x in near if abs(x) <= _WIDE)]) + Fraction(3, 2)


def _is_open(number: NoisyNumber, answers: Mapping[str, Fraction]) -> bool:
    at: Enclosed = number.offset.at(answers)
    return bool(number.parts) or at.low != at.high


def _numbers(template: Template, number: NoisyNumber, answers: Mapping[str, Fraction]) -> Iterator[Fraction]:
    if not number.parts:
        return
    form, factor, end = number.normal()
    # The number is factor * (form - end).
    offset = end.at(answers).low
    yield -factor * offset
    known = template.known.get(form)
    for limit in () if known is None else (*known.lows, *known.highs):
        yield factor * (limit.at(answers).low - offset)


def _cells(pattern: Any, marks: Sequence[Sequence[Fraction]]) -> list[Any]:
    """The pattern with its intervals cut at the marks of each, at fewer of them where it would be cut too often."""
    parts = list(flattened(pattern))
    places = [i for i, part in enumerate(parts) if isinstance(part, Interval)]
    most = int(_FIRST ** (1 / len(places))) - 1 if places else 0
    cuts = [sorted(some[:most]) for some in marks]
    cells = []
    for chosen in itertools.product(*(itertools.pairwise([None, *some, None]) for some in cuts)):
        changed = list(parts)
        for place, ends in zip(places, chosen, strict=False):
            changed[place] = Interval(*ends)
        cells.append(with_parts(pattern, changed))
    return cells


def _cut(cells: list[Likelihood], likelihood: Any, factor: float, width: Fraction) -> list[Likelihood]:
    """Cut the sets in pieces as long as these show more than the whole, those first that are the likeliest."""
    done: list[Likelihood] = []
    waiting = sorted(cells, key=lambda cell: cell.on_d)
    while waiting and len(done) + len(waiting) < _MOST:
        cell = waiting.pop()
        so_far = sum(each.excess(factor) for each in (*done, *waiting, cell))
        ways = [[likelihood(piece) for piece in way] for way in _pieces(cell.pattern, width)] if cell.on_d else []
        best = max(ways, key=lambda way: sum(piece.excess(factor) for piece in way), default=[cell])
        if sum(piece.excess(factor) for piece in best) - cell.excess(factor) > _GAIN * so_far:
            waiting = sorted([*waiting, *best], key=lambda one: one.on_d)
        else:
            done.append(cell)
    return [*done, *waiting]


def _pieces(pattern: Any, width: Fraction) -> Iterator[list[Any]]:
    """The pattern in a few, by each of its intervals; one with a single end is cut at widths from that.

    Not in two: where P - e^epsilon P′ changes its sign in the middle, or near an end, halves may show no more than all.
    """
    parts = list(flattened(pattern))
    for place, part in enumerate(parts):
        if not isinstance(part, Interval) or part == Interval():
            continue
        if part.low is not None and part.high is not None:
            cuts = [part.low + (part.high - part.low) * share for share in _SHARES]
        elif part.low is not None:
            cuts = [part.low + width * far for far in _FAR]
        else:
            assert part.high is not None
            cuts = [part.high - width * far for far in reversed(_FAR)]
        intervals = itertools.starmap(Interval, itertools.pairwise([part.low, *cuts, part.high]))
        yield [with_parts(pattern, [*parts[:place], one, *parts[place + 1 :]]) for one in intervals]


def _joined(patterns: Sequence[Any]) -> list[Any]:
    """The patterns, of which those are one that differ in a single interval and touch there."""
    joined = list(patterns)
    for place in range(max((len(list(flattened(pattern))) for pattern in patterns), default=0)):
        alike: dict[Any, list[Interval]] = {}
        for pattern in joined:
            parts = list(flattened(pattern))
            part = parts[place] if place < len(parts) else None
            if isinstance(part, Interval):
                alike.setdefault(with_parts(pattern, [*parts[:place], ANYTHING, *parts[place + 1 :]]), []).append(part)
            else:
                alike.setdefault(pattern, [])
        joined = []
        for pattern, intervals in alike.items():
            parts = list(flattened(pattern))
            unions = [with_parts(pattern, [*parts[:place], one, *parts[place + 1 :]]) for one in _unions(intervals)]
            joined += unions if intervals else [pattern]
    return joined


def _unions(intervals: Sequence[Interval]) -> list[Interval]:
    """Intervals that are apart, from left to right; those that touch as one."""
    merged: list[Interval] = []
    for one in sorted(intervals, key=lambda one: -math.inf if one.low is None else one.low):
        if merged and merged[-1].high is not None and merged[-1].high == one.low:
            merged[-1] = Interval(merged[-1].low, one.high)
        else:
            merged.append(one)
    return merged
