"""The search for a case with a large loss: from many starts, step by step upwards. Nothing here is sound by itself.

Small changes of a case, by which a search climbs to a larger loss.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.cases import AttackCase, pattern_sort
from alignkit.attacking.closed_forms.certified_losses import estimated
from alignkit.attacking.closed_forms.covering import opened, serving
from alignkit.attacking.closed_forms.covers import Cover
from alignkit.attacking.closed_forms.lattice_laws import on_lattice
from alignkit.attacking.excess import Excess
from alignkit.errors import AlignkitError, InputError, InternalError, OutOfTime, TooRare, Unsupported
from alignkit.limits import NEVER, Deadline
from alignkit.output_events import Event, Interval, flattened, with_parts
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import PrivateAnswers

# How many intervals are tried in the place of one.
_INTERVALS = 8

# How far a long step leads, in the largest of the steps that matter.
_FAR = 8

# A step: the cases that it leads to, one after the other, each farther than the one before.
Step = Iterable[AttackCase]


@dataclass(frozen=True)
class CaseSpace:
    """Where the cases of an attack live: the steps that matter, and the most answers of a case.

    Where ``exchanging``, a case with the most answers may give one up for a copy of another. Public parameters that are
    ``given`` stay as they are. The steps ``by_parameters`` lead to other public parameters and change nothing else.
    """

    aim: AttackAim
    steps: tuple[Fraction, ...]
    longest: int
    exchanging: bool = False
    given: frozenset[str] = frozenset()
    by_parameters: bool = False

    @cached_property
    def _simplest(self) -> dict[str, Fraction]:
        public = self.aim.mechanism.public
        return {name: values[0] for name, values in self.aim.searched(self.given).items() if not public[name].integer}

    def unusual(self, case: AttackCase) -> int:
        """How many of the public parameters that are searched are not at their simplest value; counts do not matter."""
        return sum(
            any(x != simplest for x in value) if isinstance(value := case.public[name], tuple) else value != simplest
            for name, simplest in self._simplest.items()
        )

    def neighbours(self, case: AttackCase, source: random.Random) -> list[Step]:
        """The steps from a case.

        Those to one answer more, or to another in the place of one, come first, as they have the most to gain, and long
        steps, which lead off a plateau, where nothing else is left.
        """
        if self.by_parameters:
            return [self._at(case, *another) for another in self._parameters(case)]
        if case.private.size < self.longest:
            longer: list[Step] = [[other] for other in self._copies(case)]
        else:
            longer = [[other] for other in self._exchanges(case)] if self.exchanging else []
        short: list[Step] = list(self._shifts(case, self.steps))
        short += [[other] for other in self._changes(case)]
        short += [[other] for other in self._intervals(case, source)]
        far: list[Step] = list(self._shifts(case, (_FAR * self.steps[-1],)))
        for steps in (longer, short, far):
            source.shuffle(steps)
        return [*longer, *short, *far]

    def _shifts(self, case: AttackCase, steps: tuple[Fraction, ...]) -> Iterator[Step]:
        """Answers moved on both databases: each group as a whole, and each answer of one."""
        for group, step, sign in itertools.product(_groups_and_members(case), steps, (1, -1)):
            amount = _on_lattices(sign * step, case.private)
            if amount:
                yield _shifted(case, group, amount)

    def _changes(self, case: AttackCase) -> Iterator[AttackCase]:
        """Other changes of a group of answers, or of one answer."""
        bounds, adjacency = case.private.bounds, self.aim.adjacency.at(case.public)
        for group, sign in itertools.product(_groups_and_members(case), (1, 0, -1)):
            changes = [Fraction(0)] * len(bounds) if self._one_at_a_time else list(case.changes)
            for number in group:
                changes[number] = sign * bounds[number]
            if tuple(changes) != case.changes and any(changes) and adjacency.allows(changes, bounds):
                yield replace(case, changes=tuple(changes))

    @property
    def _one_at_a_time(self) -> bool:
        """Whether the search changes a single answer at a time."""
        return self.aim.adjacency in (Adjacency.ONE, Adjacency.L1)

    def _intervals(self, case: AttackCase, source: random.Random) -> Iterator[AttackCase]:
        """Other intervals for one number of the event."""
        marks = sorted({Fraction(0), *case.answers, *(s * m for s in self.steps for m in (-3, -1, 1, 3))})
        width = self.steps[0] / 4
        parts = list(flattened(case.event.pattern))
        for place, part in enumerate(parts):
            if not isinstance(part, Interval):
                continue
            options = [Interval()]
            for mark in marks:
                options += [Interval(low=mark), Interval(high=mark), Interval(mark, mark + width)]
            if part.low is not None and part.high is not None:
                middle = (part.low + part.high) / 2
                options += [Interval(part.low, middle), Interval(middle, part.high)]
            for option in source.sample(options, min(_INTERVALS, len(options))):
                if option != part:
                    pattern = with_parts(case.event.pattern, [*parts[:place], option, *parts[place + 1 :]])
                    yield replace(case, event=Event(pattern))

    def _parameters(self, case: AttackCase) -> Iterator[tuple[str, Fraction]]:
        """Another value of one public parameter."""
        for name, values in self.aim.searched(self.given).items():
            yield from ((name, value) for value in values if case.public[name] != value)

    def _at(self, case: AttackCase, name: str, value: Fraction) -> Iterator[AttackCase]:
        """The case at that value of a parameter, of all numbers of a list; nothing where it is then no case.

        An answer changes by the same share of its sensitivity.
        """
        kind, old = self.aim.mechanism.public[name], case.private
        new: Any = (value,) * len(case.public[name]) if kind.vector else int(value) if kind.integer else value
        private = replace(old, public=self.aim.mechanism.domain.on_lattices({**case.public, name: new}))
        bounds = zip(case.changes, private.bounds, old.bounds, strict=True)
        moved = replace(case, private=private, changes=tuple(c * n / o if c else c for c, n, o in bounds))
        try:
            check_adjacent(self.aim.adjacency, self.aim.mechanism, moved.inputs.values, moved.inputs.values_)
        except InputError:
            return
        if all(private.public[name] == case.public[name] for name in self.given):
            yield moved

    def _copies(self, case: AttackCase) -> Iterator[AttackCase]:
        """One answer more, like one that is there; where outputs go with answers, with an output like its own."""
        if not any(kind.vector for kind in self.aim.mechanism.private.values()):
            return
        outputs, size = case.outputs, case.private.size
        for position in [size - 1] if outputs is None else range(min(len(outputs), size)):
            positions = _with_copy(range(size), position)
            if outputs is not None:
                yield self._rearranged(case, positions, _with_copy(outputs, position))
            yield self._rearranged(case, positions, outputs)

    def _exchanges(self, case: AttackCase) -> Iterator[AttackCase]:
        """A copy of one answer and its output in the place of another, which differs from it in output or change.

        Answers are copied one at a time as long as that gains, whichever comes first; when a case has the most that it
        may have, no other step leads from one mixture of them to the next, nor rids it of answers without an output.
        """
        outputs, size = case.outputs, case.private.size
        if outputs is None or len(outputs) > size:
            return
        sorts: dict[Any, int] = {}
        for position in range(size):
            changes = tuple(
                c for (_, at), c in zip(case.private.places, case.changes, strict=True) if at == position
            )
            sort = (pattern_sort(outputs[position]), changes) if position < len(outputs) else None
            sorts.setdefault(sort, position)
        for copied, dropped in itertools.permutations(sorts.values(), 2):
            if copied < len(outputs):
                kept = [i for i in _with_copy(range(size), copied) if i != dropped]
                yield self._rearranged(case, kept, [outputs[i] for i in kept if i < len(outputs)])

    def _rearranged(self, case: AttackCase, positions: Sequence[int], outputs: Sequence[Any] | None) -> AttackCase:
        """The case whose vectors hold the entries that stood at these positions, with other outputs in its event.

        The copy of an answer changes as the answer does, unless adjacency bounds what changes in all.
        """
        mechanism, old = self.aim.mechanism, case.private
        public = {
            name: _at(value, positions, old.size) if mechanism.public[name].vector and name not in self.given else value
            for name, value in case.public.items()
        }
        by_place = dict(zip(old.places, zip(case.answers, case.changes, strict=True), strict=True))
        answers, changes = [], []
        for name, kind in mechanism.private.items():
            for i in positions if kind.vector else (None,):
                answer, change = by_place[name, i]
                answers.append(answer)
                changes.append(change)
                if self.aim.adjacency.shared:
                    by_place[name, i] = answer, Fraction(0)
        event = case.event if outputs is None else Event(tuple(outputs))
        return AttackCase(PrivateAnswers(mechanism, public, len(positions)), tuple(answers), tuple(changes), event)


def _groups_and_members(case: AttackCase) -> list[list[int]]:
    """The groups of answers that the event treats alike, then each answer of a group of several."""
    return [*case.groups, *([number] for group in case.groups if len(group) > 1 for number in group)]


def _on_lattices(amount: Fraction, private: PrivateAnswers) -> Fraction:
    """The amount, or a multiple of what all lattices have in common: every answer may be moved by that."""
    steps = [private.mechanism.domain.lattice(name, private.public) for name in private.mechanism.private]
    lattices = [step for step in steps if step is not None]
    if not lattices:
        return amount
    over = math.lcm(*(step.denominator for step in lattices))
    common = Fraction(math.lcm(*(int(step * over) for step in lattices)), over)
    return common * round(amount / common)


def _shifted(case: AttackCase, group: Iterable[int], amount: Fraction) -> Iterator[AttackCase]:
    """The case with the answers of a group moved on both databases; then twice as far, and so on without end."""
    while True:
        answers = list(case.answers)
        for number in group:
            answers[number] += amount
        yield replace(case, answers=tuple(answers))
        amount *= 2


def _at(entries: Sequence[Any], positions: Sequence[int], size: int) -> tuple[Any, ...]:
    """The entries of a public list at positions of the ``size`` answers; the list may be shorter or longer.

    >>> _at("abc", [0, 1, 1], 2), _at("a", [0, 1, 1], 2)
    (('a', 'b', 'b', 'c'), ('a',))
    """
    return (*(entries[i] for i in positions if i < len(entries)), *entries[size:])


def _with_copy(items: Sequence[Any], position: int) -> list[Any]:
    """The items, with a copy of one beside it."""
    return [*items[: position + 1], *items[position:]]


# The least work that is left for a law, by the cube of the number of answers.
_LEAST_LAW = 0.25

# An event of smaller probability is not looked at.
LEAST_PROBABILITY = 1e-12

# What a case is worth less for each e-fold that its event is rarer: a likely event says more to a reader, and leaves
# room to climb on.
_RARITY = 0.003

# What it is worth less for each public parameter that is not at its simplest value.
_UNUSUAL = 0.01

# The least gain for which a step is taken.
_GAIN = 1e-3


@dataclass
class Effort:
    """How much may be spent: work, in evaluations of an event over few answers, and until when."""

    work: float
    deadline: Deadline = NEVER

    @property
    def left(self) -> bool:
        return self.work > 0 and not self.deadline.passed


@dataclass
class Climb:
    """One search upwards, to a large loss, or delta where one is claimed, as a share of the claim."""

    space: CaseSpace
    effort: Effort
    source: random.Random
    values: dict[object, float] = field(default_factory=dict)
    covers: dict[object, list[Cover]] = field(default_factory=dict)
    unknown: str = ""  # why the first event of those that have no closed form has none
    excess: Excess = field(init=False)

    def __post_init__(self) -> None:
        self.excess = Excess(self.space.aim, self.effort.deadline)

    def value(self, case: AttackCase) -> float:
        """The worth of a case; -inf where the event is too rare or its probability cannot be computed."""
        if case.key not in self.values:
            self.values[case.key] = self._value(case)
        return self.values[case.key]

    def _value(self, case: AttackCase) -> float:
        try:
            if self.space.aim.delta is not None:
                return self._worth_of_delta(case) - _UNUSUAL * self.space.unusual(case)
            low = self._probability(case, case.inputs.values)
            if low < LEAST_PROBABILITY:
                return -math.inf
            high = self._probability(case, case.inputs.values_)
            loss = math.log(low / high) if high > 0 else math.inf
            share = self.space.aim.share(loss, case.inputs.values, case.event)
            return share + _RARITY * math.log(low) - _UNUSUAL * self.space.unusual(case)
        except InternalError:
            raise
        except OutOfTime:
            return -math.inf  # the search ends
        except AlignkitError as problem:
            if isinstance(problem, Unsupported) and not isinstance(problem, TooRare) and not self.unknown:
                self.unknown = str(problem)
            self.effort.work -= 1
            return -math.inf

    def _worth_of_delta(self, case: AttackCase) -> float:
        """The delta that a case shows as a share of the claim; where there is none, how far it is from one, below 0."""
        if on_lattice(self.space.aim.mechanism) and self.effort.work < _LEAST_LAW * len(case.answers) ** 3:
            self.effort.work = 0  # it would take more than is left
            return -math.inf
        before = self.excess.work
        outputs, factor = self.excess.outputs(case), self.excess.factor(case)
        self.effort.work -= max(1.0, self.excess.work - before)
        delta = math.fsum(one.excess(factor) for one in outputs)
        if delta > 0:
            return self.space.aim.share_of_delta(delta, case.inputs.values) * math.exp(_RARITY * math.log(delta))
        ratios = (one.on_d / (factor * one.on_d_prime) for one in outputs if one.on_d_prime)
        return max(ratios, default=0.0) - 1

    def _probability(self, case: AttackCase, arguments: Mapping[str, Any]) -> float:
        covered = self._cover(case, arguments)
        self.effort.work -= covered.work / 2
        return estimated(covered, arguments, case.event, self.effort.deadline)

    def _cover(self, case: AttackCase, arguments: Mapping[str, Any]) -> Cover:
        """The paths to an event, which are the same for many answers."""
        covers = self.covers.setdefault((opened(case.event.pattern), case.private.size, *case.public.items()), [])
        return serving(covers, self.space.aim.mechanism, arguments, case.event, self.effort.deadline)

    def ways_differ(self, case: AttackCase) -> bool:
        """Whether D′ takes other ways than D at conditions on the answers alone.

        Where an event of all numbers is as likely on both, such a change of the answers still shows in narrower ones.
        """
        if self.value(case) == -math.inf or self.space.aim.delta is not None:
            return False
        return not self._cover(case, case.inputs.values).serves(case.inputs.values_)

    def up(self, case: AttackCase) -> tuple[AttackCase, float, bool]:
        """The best case reached from here, what it is worth, and whether no step from it leads higher."""
        best, value = case, self.value(case)
        improved = value > -math.inf
        while improved and value < math.inf:
            improved = False
            for step in self.space.neighbours(best, self.source):
                if not self.effort.left:
                    return best, value, False
                for option in step:
                    worth = self.value(option)
                    if not worth > value + _GAIN:
                        break
                    best, value, improved = option, worth, True
                if improved:
                    break
        return best, value, True
