"""Small changes of a case, by which a search climbs to a larger loss."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.attacking.cases import AttackCase, answers_alike, pattern_sort
from alignkit.output_events import Event, Interval
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

# How many intervals are tried in the place of one.
_INTERVALS = 8

# How far a long step leads, in the largest of the steps that matter.
_FAR = 8


@dataclass(frozen=True)
class CaseSpace:
    """Where cases of a mechanism live: its adjacency, the steps that matter, and the most answers of a case.

    Where ``exchanging``, a case with the most answers may give one up for a copy of another.
    """

    mechanism: Mechanism
    adjacency: Adjacency
    steps: tuple[Fraction, ...]
    longest: int
    exchanging: bool = False

    def neighbours(self, case: AttackCase, source: random.Random) -> list[AttackCase | ShiftedCase]:
        """Cases a step away.

        Those with one answer more, or another in the place of one, come first, as they have the most to gain, and long
        steps, which lead off a plateau, where nothing else is left.
        """
        longer = list(self._exchanges(case) if self.exchanging and self._full(case) else self._copies(case))
        found: list[AttackCase | ShiftedCase] = [
            *self._shifts(case, self.steps), *self._changes(case), *self._intervals(case, source)
        ]  # fmt: skip
        far = list(self._shifts(case, (_FAR * self.steps[-1],)))
        for some in (longer, found, far):
            source.shuffle(some)
        return [*longer, *found, *far]

    def _shifts(self, case: AttackCase, steps: tuple[Fraction, ...]) -> Iterator[ShiftedCase]:
        parts = answers_alike(self.mechanism, case)
        groups = [*parts, *([n] for part in parts if len(part) > 1 for n in part)]
        for group in groups:
            for step in steps:
                for sign in (1, -1):
                    amount = self._on_lattice(sign * step, case.public)
                    if amount:
                        yield ShiftedCase(case, tuple(group), amount)

    def _on_lattice(self, amount: Fraction, public: Mapping[str, Any]) -> Fraction:
        """The amount, or a multiple of what all lattices have in common: every answer may be moved by that."""
        found = [self.mechanism.lattice(name, public) for name in self.mechanism.private]
        lattices = [step for step in found if step is not None]
        if not lattices:
            return amount
        over = math.lcm(*(step.denominator for step in lattices))
        step = Fraction(math.lcm(*(int(step * over) for step in lattices)), over)
        return step * round(amount / step)

    def _changes(self, case: AttackCase) -> Iterator[AttackCase]:
        bounds = case.private(self.mechanism).bounds
        parts = answers_alike(self.mechanism, case)
        single = self.adjacency in (Adjacency.ONE, Adjacency.L1)
        for group in [*parts, *([n] for part in parts if len(part) > 1 for n in part)]:
            for sign in (1, 0, -1):
                change = [Fraction(0)] * len(bounds) if single else list(case.changes)
                for number in group:
                    change[number] = sign * bounds[number]
                if tuple(change) != case.changes and any(change) and self.adjacency.allows(change, bounds):
                    yield replace(case, changes=tuple(change))

    def _intervals(self, case: AttackCase, source: random.Random) -> Iterator[AttackCase]:
        places = list(_leaves(case.event.pattern))
        marks = sorted({Fraction(0), *case.answers, *(s * m for s in self.steps for m in (-3, -1, 1, 3))})
        width = self.steps[0] / 4
        for place, interval in places:
            options = [Interval()]
            for mark in marks:
                options += [Interval(low=mark), Interval(high=mark), Interval(mark, mark + width)]
            if interval.low is not None and interval.high is not None:
                middle = (interval.low + interval.high) / 2
                options += [Interval(interval.low, middle), Interval(middle, interval.high)]
            for option in source.sample(options, min(_INTERVALS, len(options))):
                if option != interval:
                    pattern = _put(case.event.pattern, place, option)
                    yield replace(case, event=Event(pattern, case.event.more))

    def _copies(self, case: AttackCase) -> Iterator[AttackCase]:
        """One answer more, like one that is there; where outputs go with answers, with an output like its own."""
        if self._full(case) or not any(kind.vector for kind in self.mechanism.private.values()):
            return
        outputs = self._outputs(case)
        last = range(case.size - 1, case.size)
        for position in last if outputs is None else range(min(len(outputs), case.size)):
            if outputs is not None:
                yield self._with_copy_and_output(case, outputs, position)
            yield self._with_copy(case, position)

    def _exchanges(self, case: AttackCase) -> Iterator[AttackCase]:
        """A copy of one answer and its output in the place of another, which differs from it in output or change.

        Answers are copied one at a time as long as that gains, whichever comes first; when a case has the most that it
        may have, no other step leads from one mixture of them to the next, nor rids it of answers without an output.
        """
        outputs = self._outputs(case)
        if outputs is None or len(outputs) > case.size:
            return
        places = case.private(self.mechanism).places
        sorts: dict[Any, int] = {}
        for position in range(case.size):
            moved = tuple(c for (_, at), c in zip(places, case.changes, strict=True) if at == position)
            sorts.setdefault((pattern_sort(outputs[position]), moved) if position < len(outputs) else None, position)
        for copied, dropped in itertools.permutations(sorts.values(), 2):
            if copied < len(outputs):
                longer = self._with_copy_and_output(case, outputs, copied)
                yield self._without(longer, dropped + (dropped > copied))

    def _full(self, case: AttackCase) -> bool:
        return case.size >= self.longest

    def _outputs(self, case: AttackCase) -> tuple[Any, ...] | None:
        """The outputs of an event, where each goes with an answer; None where they do not."""
        pattern = case.event.pattern
        return pattern if self.mechanism.program.is_generator and isinstance(pattern, tuple) else None

    def _with_copy_and_output(self, case: AttackCase, outputs: tuple[Any, ...], position: int) -> AttackCase:
        copied = (*outputs[: position + 1], *outputs[position:])
        return replace(self._with_copy(case, position), event=Event(copied, case.event.more))

    def _without(self, case: AttackCase, position: int) -> AttackCase:
        """The case without the answers at a position, and without the output that goes with them."""
        kept = [at != position for _, at in case.private(self.mechanism).places]
        outputs = case.event.pattern
        return AttackCase(
            {
                name: (*value[:position], *value[position + 1 :]) if self.mechanism.public[name].vector else value
                for name, value in case.public.items()
            },
            tuple(itertools.compress(case.answers, kept)),
            tuple(itertools.compress(case.changes, kept)),
            Event((*outputs[:position], *outputs[position + 1 :]), case.event.more),
            case.size - 1,
        )

    def _with_copy(self, case: AttackCase, position: int) -> AttackCase:
        answers: list[Fraction] = []
        changes: list[Fraction] = []
        for (name, at), answer, change in zip(
            case.private(self.mechanism).places, case.answers, case.changes, strict=True
        ):
            twice = at == position and self.mechanism.private[name].vector
            answers += [answer] * (1 + twice)
            changes += [change, *([change if self.adjacency is not Adjacency.L1 else Fraction(0)] * twice)]
        if self.adjacency is Adjacency.ONE:
            first = next((i for i, c in enumerate(changes) if c), None)
            changes = [c if i == first else Fraction(0) for i, c in enumerate(changes)]
        public = {
            name: (*value[: position + 1], *value[position:]) if self.mechanism.public[name].vector else value
            for name, value in case.public.items()
        }
        return AttackCase(public, tuple(answers), tuple(changes), case.event, case.size + 1)


@dataclass(frozen=True)
class ShiftedCase:
    """A case whose answers in a group are moved on both databases; it may be moved further."""

    of: AttackCase
    group: tuple[int, ...]
    amount: Fraction

    @property
    def case(self) -> AttackCase:
        """The case so moved."""
        answers = list(self.of.answers)
        for number in self.group:
            answers[number] += self.amount
        return replace(self.of, answers=tuple(answers))

    @property
    def further(self) -> ShiftedCase:
        """The same, twice as far."""
        return replace(self, amount=2 * self.amount)


def _leaves(pattern: Any, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Interval]]:
    if isinstance(pattern, tuple):
        for i, part in enumerate(pattern):
            yield from _leaves(part, (*place, i))
    elif isinstance(pattern, Interval):
        yield place, pattern


def _put(pattern: Any, place: tuple[int, ...], part: Any) -> Any:
    if not place:
        return part
    first, *rest = place
    return (*pattern[:first], _put(pattern[first], tuple(rest), part), *pattern[first + 1 :])
