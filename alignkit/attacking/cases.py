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
from alignkit.refuting.pairs import large_constants
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism import Mechanism

# A private answer: the parameter, and the position where the parameter is a vector.
Answer = tuple[str, int | None]

# Sizes of answer vectors to start from, the telling ones first; longer ones are grown from these.
SIZES = (2, 3, 1, 4, 5)

# Answers to start from, in sensitivities: by how much each is above the one before it, and where the first is. Beside a
# threshold some outputs are possible that are not at it, where noise is one-sided.
_SHAPES = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1))


@dataclass(frozen=True)
class Case:
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


def answers_of(mechanism: Mechanism, size: int) -> list[Answer]:
    """The private answers where each vector has this many."""
    return [
        (name, i)
        for name, kind in mechanism.private.items()
        for i in (range(size) if kind.vector else (None,))
    ]  # fmt: skip


def values(mechanism: Mechanism, case: Case, *, primed: bool = False) -> dict[str, Any]:
    """All arguments of the mechanism but the noise, on D, or on D′."""
    found = dict(case.public)
    shifted = [a + c if primed else a for a, c in zip(case.answers, case.changes, strict=True)]
    for (name, position), answer in zip(answers_of(mechanism, case.size), shifted, strict=True):
        found[name] = answer if position is None else (*found.get(name, ()), answer)
    for name, kind in mechanism.private.items():
        if kind.vector:
            found.setdefault(name, ())
    return found


def settings(mechanism: Mechanism, given: Mapping[str, Any], eps: Fraction, size: int) -> Iterator[dict[str, Any]]:
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


def starts(
    mechanism: Mechanism,
    adjacency: Adjacency,
    given: Mapping[str, Any],
    eps: Fraction,
    source: random.Random,
    deadline: Callable[[], Deadline] = Deadline,
) -> Iterator[list[Case]]:
    """Groups of cases to start from: those of a group share the parameters and the event, and differ in the changes.

    Sizes and parameters come in turns, so that every few groups some of each have been seen. Raises OutOfTime after
    what is the deadline when it is asked for.
    """
    vectors = any(kind.vector for kind in mechanism.private.values())
    rounds = [
        _groups(mechanism, adjacency, public, size, source, deadline)
        for size in (SIZES if vectors else (1,))
        for public in settings(mechanism, given, eps, size)
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
) -> Iterator[list[Case]]:
    places = answers_of(mechanism, size)
    bounds = sensitivities(mechanism, public, places)
    still = Case(public, (Fraction(0),) * len(places), (Fraction(0),) * len(places), Event(ANYTHING), size)
    patterns: dict[Any, list[Case]] = {}
    covers: list[Cover] = []
    for level in levels(mechanism):
        found: dict[Any, Case] = {}
        for shape, start in _SHAPES:
            answers = tuple(level + bound * (start + shape * i) for i, bound in enumerate(bounds))
            try:
                case = replace(still, answers=answers)
                for pattern in skeletons(mechanism, values(mechanism, case), covers, deadline()):
                    found.setdefault(pattern, replace(case, event=Event(pattern)))
            except AlignkitError:
                return  # not defined on so few answers, or not covered at all
        for pattern, case in found.items():
            patterns.setdefault(pattern, []).append(case)
    chosen = list(patterns)
    source.shuffle(chosen)
    # Outputs of several kinds have more that may change.
    chosen.sort(key=lambda pattern: -len({sort_of(part) for part in pattern}) if isinstance(pattern, tuple) else 0)
    for pattern in chosen:
        parts = alike(mechanism, patterns[pattern][0])
        changed = telling_changes(adjacency, parts, bounds, len(places))
        yield [replace(case, changes=change) for case in patterns[pattern] for change in changed]


def levels(mechanism: Mechanism) -> list[Fraction]:
    """Where answers may start: at 0, and at each large number of the program, which they may be compared with."""
    return [Fraction(0), *sorted(set(large_constants(mechanism)), key=abs)[-2:]]


def changes(
    mechanism: Mechanism, adjacency: Adjacency, public: Mapping[str, Any], size: int
) -> Iterator[Case]:
    """Pairs of adjacent inputs without an event: answers alike, of which some rise and some fall."""
    places = answers_of(mechanism, size)
    bounds = sensitivities(mechanism, public, places)
    level = levels(mechanism)[-1]
    half = (len(places) + 1) // 2
    parts = [list(range(half)), list(range(half, len(places)))]
    for change in telling_changes(adjacency, [part for part in parts if part], bounds, len(places)):
        yield Case(public, (level,) * len(places), change, Event(ANYTHING), size)


def sensitivities(mechanism: Mechanism, public: Mapping[str, Any], places: list[Answer]) -> list[Fraction]:
    """How far each answer may change: by the sensitivity, or the largest multiple of the lattice below it."""
    found = []
    for name, _ in places:
        bound, step = Fraction(mechanism.sensitivity(name, public)), mechanism.lattice(name, public)
        found.append(bound if step is None else bound // step * step)
    return found


def alike(mechanism: Mechanism, case: Case) -> list[list[int]]:
    """The answers in groups that the event treats alike: by their own part of the output, or as an index in it."""
    pattern = case.event.pattern
    places = answers_of(mechanism, case.size)
    own = len(pattern) if mechanism.program.is_generator and isinstance(pattern, tuple) else 0
    named = list(dict.fromkeys(_indices(pattern)))
    groups: dict[Any, list[int]] = {}
    for number, (_, position) in enumerate(places):
        part: Any = "rest"
        if position is not None and position < own:
            part = sort_of(pattern[position])
        if position in named:
            part = ("named", named.index(position))
        groups.setdefault(part, []).append(number)
    return list(groups.values())


def sort_of(part: Any) -> Any:
    """What a part of a pattern is, but for the ends of its intervals."""
    if isinstance(part, tuple):
        return tuple(map(sort_of, part))
    return "number" if isinstance(part, Interval) else str(part)


def _indices(pattern: Any) -> Iterator[int]:
    if isinstance(pattern, tuple):
        for part in pattern:
            yield from _indices(part)
    elif isinstance(pattern, int) and not isinstance(pattern, bool):
        yield pattern


def telling_changes(
    adjacency: Adjacency, parts: list[list[int]], bounds: list[Fraction], size: int
) -> list[tuple[Fraction, ...]]:
    """Changes of the answers, alike for those that the event treats alike where all of them may change."""
    found = []
    if adjacency in (Adjacency.EACH, Adjacency.MONOTONE):
        for signs in itertools.product((1, 0, -1), repeat=min(len(parts), 3)):
            if adjacency is Adjacency.MONOTONE and {1, -1} <= set(signs):
                continue
            change = [Fraction(0)] * size
            for part, sign in zip(parts, signs, strict=False):
                for number in part:
                    change[number] = sign * bounds[number]
            found.append(tuple(change))
    else:
        for part in parts:
            for sign in (1, -1):
                change = [Fraction(0)] * size
                change[part[0]] = sign * bounds[part[0]]
                found.append(tuple(change))
    return [change for change in found if any(change)]


def admitted(adjacency: Adjacency, changes: tuple[Fraction, ...], bounds: list[Fraction]) -> bool:
    """Whether changes make adjacent databases."""
    if any(abs(c) > b for c, b in zip(changes, bounds, strict=True)):
        return False
    if adjacency is Adjacency.MONOTONE:
        return all(c >= 0 for c in changes) or all(c <= 0 for c in changes)
    if adjacency is Adjacency.ONE:
        return sum(c != 0 for c in changes) <= 1
    return adjacency is Adjacency.EACH or sum(abs(c) for c in changes) <= min(bounds)
