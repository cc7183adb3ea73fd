"""What an attack chooses: public parameters, the answers on D and how they change, and an event."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from alignkit.attacking.closed_forms.covering import skeletons
from alignkit.attacking.closed_forms.covers import Cover
from alignkit.errors import AlignkitError
from alignkit.language.parameters import Epsilon
from alignkit.limits import Deadline
from alignkit.output_events import ANYTHING, Event, Interval
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import PrivateAnswers, large_constants, telling_patterns
from alignkit.running.mechanism_decorator import Mechanism

# Sizes of answer vectors to start from, the telling ones first; longer ones are grown from these.
SIZES = (2, 3, 1, 4, 5)

# Answers to start from, in sensitivities: by how much each is above the one before it, and where the first is. Beside a
# threshold some outputs are possible that are not at it, where noise is one-sided.
_SHAPES = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1))

# How many parts of the answers, at most, change each its own way.
_MOST_PARTS = 3


@dataclass(frozen=True)
class AttackCase:
    """Public parameters, the answers on D, their changes towards D′, and an event."""

    public: Mapping[str, Any]
    answers: tuple[Fraction, ...]
    changes: tuple[Fraction, ...]
    event: Event
    size: int

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What tells cases apart."""
        return (tuple(self.public.items()), self.answers, self.changes, self.event)

    def inputs(self, mechanism: Mechanism) -> Witness:
        """The inputs on D and D′."""
        return self.private(mechanism).witness(self.answers, self.changes)

    def private(self, mechanism: Mechanism) -> PrivateAnswers:
        """Where the answers stand, and how far they may change."""
        return PrivateAnswers(mechanism, self.public, self.size)


def public_settings(
    mechanism: Mechanism, given: Mapping[str, Any], eps: Fraction, size: int
) -> Iterator[dict[str, Any]]:
    """Public parameters to try: those that are given, the budget, and small counts and telling values for others."""
    choices: dict[str, list[Any]] = {}
    for name, kind in mechanism.public.items():
        if name in given:
            choices[name] = [kind.read(given[name], name)]
        elif isinstance(kind, Epsilon):
            choices[name] = [eps]
        elif kind.vector:
            choices[name] = [(x,) * size for x in kind.sample_values()[:1]]
        else:
            choices[name] = [int(x) if kind.integer else x for x in kind.sample_values()[: 3 if kind.integer else 1]]
    for chosen in itertools.product(*choices.values()):
        setting = mechanism.on_lattices(dict(zip(choices, chosen, strict=True)))
        if all(setting[name] == choices[name][0] for name in given):
            yield setting  # what is given stays as it is


def starting_cases(
    mechanism: Mechanism,
    adjacency: Adjacency,
    given: Mapping[str, Any],
    eps: Fraction,
    source: random.Random,
    deadline: Callable[[], Deadline] = Deadline,
) -> Iterator[list[AttackCase]]:
    """Groups of cases to start from: those of a group share the parameters and the event, and differ in the changes.

    Sizes and parameters come in turns, so that every few groups some of each have been seen. Raises OutOfTime after
    what is the deadline when it is asked for.
    """
    vectors = any(kind.vector for kind in mechanism.private.values())
    rounds = [
        _groups(mechanism, adjacency, public, size, source, deadline)
        for size in (SIZES if vectors else (1,))
        for public in public_settings(mechanism, given, eps, size)
    ]
    while rounds:
        for each in list(rounds):
            group = next(each, None)
            if group is None:
                rounds.remove(each)
            elif group:
                yield group


def _groups(
    mechanism: Mechanism,
    adjacency: Adjacency,
    public: dict[str, Any],
    size: int,
    source: random.Random,
    deadline: Callable[[], Deadline],
) -> Iterator[list[AttackCase]]:
    private = PrivateAnswers(mechanism, public, size)
    nowhere = (Fraction(0),) * len(private.places)
    still = AttackCase(public, nowhere, nowhere, Event(ANYTHING), size)
    patterns: dict[Any, list[AttackCase]] = {}
    covers: list[Cover] = []
    for level in answer_levels(mechanism):
        found: dict[Any, AttackCase] = {}
        for shape, start in _SHAPES:
            answers = tuple(level + bound * (start + shape * i) for i, bound in enumerate(private.bounds))
            try:
                case = replace(still, answers=answers)
                for pattern in skeletons(mechanism, case.inputs(mechanism).values, covers, deadline()):
                    found.setdefault(pattern, replace(case, event=Event(pattern)))
            except AlignkitError:
                return  # not defined on so few answers, or not covered at all
        for pattern, case in found.items():
            patterns.setdefault(pattern, []).append(case)
    chosen = list(patterns)
    source.shuffle(chosen)
    # Outputs of several kinds have more that may change.
    chosen.sort(key=lambda pattern: -len({pattern_sort(part) for part in pattern}) if isinstance(pattern, tuple) else 0)
    for pattern in chosen:
        parts = answers_alike(mechanism, patterns[pattern][0])
        changed = telling_changes(adjacency, parts, private)
        yield [replace(case, changes=change) for case in patterns[pattern] for change in changed]


def answer_levels(mechanism: Mechanism) -> list[Fraction]:
    """Where answers may start: at 0, and at each large number of the program, which they may be compared with."""
    return [Fraction(0), *sorted(set(large_constants(mechanism)), key=abs)[-2:]]


def cases_without_event(
    mechanism: Mechanism, adjacency: Adjacency, public: Mapping[str, Any], size: int
) -> Iterator[AttackCase]:
    """Pairs of adjacent inputs without an event: answers alike, of which some rise and some fall."""
    private = PrivateAnswers(mechanism, public, size)
    count = len(private.places)
    level = answer_levels(mechanism)[-1]
    half = (count + 1) // 2
    parts = [list(range(half)), list(range(half, count))]
    for change in telling_changes(adjacency, [part for part in parts if part], private):
        yield AttackCase(public, (level,) * count, change, Event(ANYTHING), size)


def answers_alike(mechanism: Mechanism, case: AttackCase) -> list[list[int]]:
    """The answers in groups that the event treats alike: by their own part of the output, or as an index in it."""
    pattern = case.event.pattern
    places = case.private(mechanism).places
    own = len(pattern) if mechanism.program.is_generator and isinstance(pattern, tuple) else 0
    named = list(dict.fromkeys(_indices(pattern)))
    groups: dict[Any, list[int]] = {}
    for number, (_, position) in enumerate(places):
        part: Any = "rest"
        if position is not None and position < own:
            part = pattern_sort(pattern[position])
        if position in named:
            part = ("named", named.index(position))
        groups.setdefault(part, []).append(number)
    return list(groups.values())


def pattern_sort(part: Any) -> Any:
    """What a part of a pattern is, but for the ends of its intervals."""
    if isinstance(part, tuple):
        return tuple(map(pattern_sort, part))
    return "number" if isinstance(part, Interval) else str(part)


def _indices(pattern: Any) -> Iterator[int]:
    if isinstance(pattern, tuple):
        for part in pattern:
            yield from _indices(part)
    elif isinstance(pattern, int) and not isinstance(pattern, bool):
        yield pattern


def telling_changes(
    adjacency: Adjacency, parts: list[list[int]], private: PrivateAnswers
) -> list[tuple[Fraction, ...]]:
    """Changes of the answers, alike for those that the event treats alike where all of them may change."""
    found = map(private.moved, telling_patterns(adjacency, parts, len(private.places), _MOST_PARTS))
    return [change for change in found if any(change)]
