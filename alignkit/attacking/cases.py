"""What an attack chooses: public parameters, the answers on D and how they change, and an event.

Cases at or near two inputs that matter, such as those of a counterexample to a proof.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.closed_forms.covering import skeletons
from alignkit.attacking.closed_forms.covers import Cover
from alignkit.attacking.closed_forms.lattice_laws import on_lattice
from alignkit.errors import AlignkitError
from alignkit.language.parameters import Epsilon
from alignkit.limits import Deadline
from alignkit.output_events import ANY_OUTPUT, Event, Interval, fits, flattened, mapped
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import PrivateAnswers, large_constants, sizes_needed, telling_patterns
from alignkit.running.mechanism_decorator import Mechanism

T = TypeVar("T")

# Sizes of answer vectors to start from, the telling ones first; longer ones are grown from these.
SIZES = (2, 3, 1, 4, 5)

# Answers to start from, in sensitivities: by how much each is above the one before it, and where the first is. Beside a
# threshold some outputs are possible that are not at it, where noise is one-sided.
_SHAPES = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1))

# How many other settings of the public parameters there are beside each; how many groups come before any of theirs, and
# how many beside each of theirs after that.
_VARIANTS = 2
_SIMPLEST, _BESIDE = 6, 3

# How many parts of the answers, at most, change each its own way.
_MOST_PARTS = 3


@dataclass(frozen=True)
class AttackCase:
    """The private answers of a mechanism on D, their changes towards D′, and an event.

    ``private`` says where the answers stand and how far they may change, and holds the public parameters.
    """

    private: PrivateAnswers
    answers: tuple[Fraction, ...]
    changes: tuple[Fraction, ...]
    event: Event = ANY_OUTPUT

    @property
    def public(self) -> Mapping[str, Any]:
        """The public parameters."""
        return self.private.public

    @cached_property
    def key(self) -> tuple[Any, ...]:
        """What tells cases apart."""
        return (tuple(self.public.items()), self.answers, self.changes, self.event)

    @cached_property
    def inputs(self) -> Witness:
        """The inputs on D and D′."""
        return self.private.witness(self.answers, self.changes)

    @property
    def outputs(self) -> tuple[Any, ...] | None:
        """The patterns of the outputs that a generator yields one by one; None where the event has no such patterns."""
        pattern = self.event.pattern
        return pattern if self.private.mechanism.program.is_generator and isinstance(pattern, tuple) else None

    @cached_property
    def groups(self) -> list[list[int]]:
        """The answers in groups that the event treats alike: by their own part of the output, or as an index in it."""
        outputs = self.outputs or ()
        indices = [i for i in flattened(self.event.pattern) if isinstance(i, int) and not isinstance(i, bool)]
        groups: dict[Any, list[int]] = {}
        for number, (_, position) in enumerate(self.private.places):
            kind: Any = "rest"
            if position in indices:
                kind = ("named", position)
            elif position is not None and position < len(outputs):
                kind = pattern_sort(outputs[position])
            groups.setdefault(kind, []).append(number)
        return list(groups.values())


def sizes_to_try(mechanism: Mechanism) -> tuple[int, ...]:
    """Sizes of answer vectors to start from, with those that a program needs which reads items by their number."""
    return (*SIZES, *sizes_needed(mechanism))


def settings(
    mechanism: Mechanism, given: Mapping[str, Any], sizes: Sequence[int] | None = None
) -> Iterator[PrivateAnswers]:
    """Public parameters to try, with vectors of each size: given values stay, others get a budget of 1 or small counts.

    Sizes make no difference to a mechanism of single answers.
    """
    sizes = sizes_to_try(mechanism) if sizes is None else sizes
    for size in sizes if any(kind.vector for kind in mechanism.private.values()) else (1,):
        choices: dict[str, list[Any]] = {}
        for name, kind in mechanism.public.items():
            if name in given:
                choices[name] = [kind.read(given[name], name)]
            elif isinstance(kind, Epsilon):
                choices[name] = [Fraction(1)]
            elif kind.vector:
                choices[name] = [(x,) * size for x in kind.sample_values()[:1]]
            elif kind.integer:
                choices[name] = [int(x) for x in kind.sample_values()[:3]]
            else:
                choices[name] = list(kind.sample_values()[:1])
        for chosen in itertools.product(*choices.values()):
            public = mechanism.domain.on_lattices(dict(zip(choices, chosen, strict=True)))
            if all(public[name] == choices[name][0] for name in given):
                yield PrivateAnswers(mechanism, public, size)


def varied(
    aim: AttackAim, given: Mapping[str, Any], first: PrivateAnswers, source: random.Random, *, simple: bool = False
) -> list[PrivateAnswers]:
    """A setting, and some with other values for parameters that are neither given, nor counts, nor the budget.

    Where they are to be ``simple``, the values are the sample values alone.
    """
    domain, public = aim.mechanism.domain, aim.mechanism.public
    others = {
        name: public[name].sample_values() if simple else values
        for name, values in aim.searched(given).items()
        if not public[name].integer
    }
    variants = [first]
    for _ in range(_VARIANTS if others else 0):
        drawn = {
            name: tuple(source.choice(values) for _ in first.public[name])
            if public[name].vector
            else source.choice(values)
            for name, values in others.items()
        }
        moved = domain.on_lattices({**first.public, **drawn})
        if all(moved[name] == first.public[name] for name in given):
            variants.append(replace(first, public=moved))
    # Where all numbers are alike, ranges have no inside.
    return sorted(variants, key=lambda variant: -len({variant.public[name] for name in others}))


def in_turns(iterables: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first items of all iterables, then the second ones, and so on until all have ended.

    >>> "".join(in_turns(["ad", "b", "cef"]))
    'abcdef'
    """
    left = [iter(iterable) for iterable in iterables]
    while left:
        for iterator in list(left):
            try:
                yield next(iterator)
            except StopIteration:
                left.remove(iterator)


def starting_cases(
    aim: AttackAim,
    given: Mapping[str, Any],
    source: random.Random,
    deadline: Callable[[], Deadline] = Deadline,
    shows_loss: Callable[[], bool] = lambda: True,
) -> Iterator[list[AttackCase]]:
    """Groups of cases to start from: those of a group share the parameters and the event, and differ in the changes.

    Sizes and parameters come in turns, so that every few groups some of each have been seen. The first groups have the
    simplest parameters; where there is a claim, every few groups after them have others. Without one others come at the
    end, unless ``shows_loss`` says that some loss was found by then. Raises OutOfTime after what is the deadline when
    it is asked for.
    """

    def others() -> Iterator[list[AttackCase]]:
        first = settings(aim.mechanism, given)
        variants = (variant for one in first for variant in varied(aim, given, one, source) if variant is not one)
        yield from filter(None, in_turns(_groups(aim, variant, source, deadline) for variant in variants))

    simplest = (_groups(aim, private, source, deadline) for private in settings(aim.mechanism, given))
    groups = filter(None, in_turns(simplest))
    yield from simplest_first(aim, groups, others())
    if aim.expression is None and not shows_loss():
        yield from others()


def simplest_first(
    aim: AttackAim, groups: Iterator[list[AttackCase]], others: Iterator[list[AttackCase]]
) -> Iterator[list[AttackCase]]:
    """Groups at simple parameters; where there is a claim, every few after the first ones one of the others."""
    yield from itertools.islice(groups, _SIMPLEST)
    yield from groups if aim.expression is None else in_turns([*[groups] * _BESIDE, others])


def _groups(
    aim: AttackAim, private: PrivateAnswers, source: random.Random, deadline: Callable[[], Deadline]
) -> Iterator[list[AttackCase]]:
    still = (Fraction(0),) * len(private.places)
    by_pattern: dict[Any, list[AttackCase]] = {}
    covers: list[Cover] = []
    for level in answer_levels(aim.mechanism):
        at_level: dict[Any, AttackCase] = {}
        for shape, start in _SHAPES:
            answers = tuple(level + bound * (start + shape * i) for i, bound in enumerate(private.bounds))
            case = AttackCase(private, answers, still)
            try:
                for pattern in skeletons(aim.mechanism, case.inputs.values, covers, deadline()):
                    at_level.setdefault(pattern, replace(case, event=Event(pattern)))
            except AlignkitError:
                return  # not defined on so few answers, or not covered at all
        for pattern, case in at_level.items():
            by_pattern.setdefault(pattern, []).append(case)
    patterns = list(by_pattern)
    source.shuffle(patterns)
    # Outputs of several kinds have more that may change.
    patterns.sort(key=lambda p: -len(set(map(pattern_sort, p))) if isinstance(p, tuple) else 0)
    for pattern in patterns:
        changes = telling_changes(aim.adjacency, by_pattern[pattern][0].groups, private)
        for alike in _by_parameters_moved(aim.adjacency, changes, private):
            yield [replace(case, changes=change) for case in by_pattern[pattern] for change in alike]


def _by_parameters_moved(
    adjacency: Adjacency, changes: list[tuple[Fraction, ...]], private: PrivateAnswers
) -> list[list[tuple[Fraction, ...]]]:
    """The changes, those apart that move other parameters where a few answers move: no step leads between them."""
    if adjacency not in (Adjacency.ONE, Adjacency.L1):
        return [changes]
    found: dict[frozenset[str], list[tuple[Fraction, ...]]] = {}
    for change in changes:
        moved = frozenset(name for (name, _), by in zip(private.places, change, strict=True) if by)
        found.setdefault(moved, []).append(change)
    return list(found.values())


def answer_levels(mechanism: Mechanism) -> list[Fraction]:
    """Levels at which answers start: 0, and the large numbers of the program, with which they may be compared."""
    return [Fraction(0), *sorted(set(large_constants(mechanism)), key=abs)[-2:]]


def cases_without_event(aim: AttackAim, private: PrivateAnswers) -> list[AttackCase]:
    """Pairs of adjacent inputs without an event: answers alike, of which some rise and some fall."""
    count = len(private.places)
    answers = (answer_levels(aim.mechanism)[-1],) * count
    half = (count + 1) // 2
    groups = [list(range(half)), list(range(half, count))]
    changes = telling_changes(aim.adjacency, [group for group in groups if group], private)
    return [AttackCase(private, answers, change) for change in changes]


def pattern_sort(pattern: Any) -> Any:
    """What a pattern is, but for the ends of its intervals."""
    return mapped(lambda part: "number" if isinstance(part, Interval) else str(part), pattern)


def telling_changes(
    adjacency: Adjacency, groups: list[list[int]], private: PrivateAnswers
) -> list[tuple[Fraction, ...]]:
    """Changes of the answers, alike within each group where all answers may change.

    Where parameters share a change, it is made in each of them, and under ``l1`` in equal parts in all.
    """
    few = adjacency in (Adjacency.ONE, Adjacency.L1)
    parts = [part for group in groups for part in private.by_parameter(group)] if few else groups
    patterns = telling_patterns(adjacency.at(private.public), parts, len(private.places), _MOST_PARTS)
    changes = [private.moved(pattern) for pattern in patterns]
    if adjacency is Adjacency.L1:
        changes += private.shared_moves()
    return [change for change in changes if any(change)]


@dataclass(frozen=True)
class KnownInputs:
    """Adjacent inputs that matter, and an output that D gave."""

    witness: Witness
    output: Any = None


def cases_nearby(
    aim: AttackAim, known: KnownInputs, deadline: Callable[[], Deadline] = Deadline
) -> Iterator[list[AttackCase]]:
    """Yields groups of cases at these inputs, then with D and D′ exchanged; the output that D gave comes first.

    The cases of a group share the answers on D and the event. They change the answers as the inputs do, and as far as
    adjacency allows. There are none where the vectors of answers differ in length.
    """
    mechanism, inputs = aim.mechanism, known.witness
    sizes = {len(inputs.q[name]) for name, kind in mechanism.private.items() if kind.vector}
    if len(sizes) > 1:
        return
    private = PrivateAnswers(mechanism, inputs.public, max(sizes, default=1))
    answers, answers_ = (_answers(given, private) for given in (inputs.q, inputs.q_))
    for one, other in ((answers, answers_), (answers_, answers)):
        own = tuple(b - a for a, b in zip(one, other, strict=True))
        start = AttackCase(private, one, own)
        for case in _events(mechanism, start, known.output, deadline, without=aim.delta is not None):
            changes = [own, *telling_changes(aim.adjacency, case.groups, private)]
            group = [replace(case, changes=change) for change in dict.fromkeys(changes) if any(change)]
            if group:
                yield group


def _events(
    mechanism: Mechanism, case: AttackCase, output: Any, deadline: Callable[[], Deadline], *, without: bool
) -> list[AttackCase]:
    """The case with each event that is possible on D; on a lattice, or for a delta, no events are searched for."""
    if on_lattice(mechanism) or without:
        return [case]
    try:
        patterns = skeletons(mechanism, case.inputs.values, [], deadline())
    except AlignkitError:
        return []
    patterns.sort(key=lambda pattern: not fits(pattern, output))
    return [replace(case, event=Event(pattern)) for pattern in patterns]


def _answers(given: Mapping[str, Any], private: PrivateAnswers) -> tuple[Fraction, ...]:
    return tuple(Fraction(given[name] if at is None else given[name][at]) for name, at in private.places)
