"""Pairs of adjacent inputs for searches and attacks to try: the telling ones first, then random ones.

Answers are written down as one list, the vectors one after the other. A pattern says which way each of them moves from
D to D′: 1 is up, -1 down, 0 not at all; the answer then moves as far as its sensitivity and lattice allow.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

from alignkit.language.program import Arithmetic, Builtin, Constant, Item, Name, walk
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_program import MechanismProgram

Pattern = tuple[int, ...]

# A private answer: the parameter, and the position where the parameter is a vector.
Answer = tuple[str, int | None]

# Numbers of queries that a random search tries, one after the other.
SIZES = (1, 2, 3, 2, 4, 5)

# No program is given more answers than this because it reads one by its number.
MOST_NEEDED = 64

# How often a sensitivity that holds under a condition goes into the changes that are tried where it does not.
_FAR = 8

_LEVELS = tuple(Fraction(x, 2) for x in (0, 0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6))


@dataclass(frozen=True)
class PrivateAnswers:
    """The private answers of a mechanism at given public parameters, where each vector has ``size`` answers."""

    mechanism: MechanismProgram
    public: Mapping[str, Any]
    size: int

    @cached_property
    def places(self) -> list[Answer]:
        """The place of each answer, in order."""
        return [
            (name, i)
            for name, kind in self.mechanism.private.items()
            for i in (range(self.size) if kind.vector else (None,))
        ]  # fmt: skip

    @cached_property
    def bounds(self) -> list[Fraction]:
        """How far each answer may change: by the sensitivity, or the largest multiple of the lattice below it."""
        return [largest_change(self.mechanism, name, self.public) for name, _ in self.places]

    def moved(self, pattern: Pattern) -> tuple[Fraction, ...]:
        """The change of each answer under a pattern."""
        return tuple(way * bound for way, bound in zip(pattern, self.bounds, strict=True))

    def by_parameter(self, group: Sequence[int]) -> list[list[int]]:
        """The answers of a group, by the parameters that they belong to."""
        parts: dict[str, list[int]] = {}
        for number in group:
            parts.setdefault(self.places[number][0], []).append(number)
        return list(parts.values())

    def shared_moves(self) -> list[tuple[Fraction, ...]]:
        """Changes of the first answer of each parameter that together are as large as a sensitivity; none for one."""
        names = list(self.mechanism.private)
        if len(names) < 2:
            return []
        firsts = [part[0] for part in self.by_parameter(range(len(self.places)))]
        found = []
        for signs in ((-1, -1), (1, 1), (1, -1), (-1, 1)):  # those first that move all one way
            change = [Fraction(0)] * len(self.places)
            for first, sign in zip(firsts, itertools.cycle(signs), strict=False):
                step = self.mechanism.domain.lattice(self.places[first][0], self.public)
                share = min(self.bounds) / len(names)
                change[first] = sign * (share // step * step if step else share)
            found.append(tuple(change))
        return found

    def witness(self, answers: Sequence[Fraction], changes: Sequence[Fraction]) -> Witness:
        """The inputs with these answers on D, and on D′ with the changes added."""
        other = [answer + change for answer, change in zip(answers, changes, strict=True)]
        found = Witness(self.public, self._by_parameter(answers), self._by_parameter(other))
        return found if not self.mechanism.domain.where else self._nearer(found)

    def _nearer(self, pair: Witness) -> Witness:
        """The pair, with smaller changes of the answers that have a sensitivity there; in the end with none."""
        domain = self.mechanism.domain
        for most in (Fraction(1, _FAR), Fraction(1, _FAR), Fraction(0)):
            far = [
                name
                for name in domain.where
                if domain.bounded(name, pair.values, pair.values_)
                and abs(pair.q_[name] - pair.q[name]) * _FAR > largest_change(self.mechanism, name, self.public)
            ]
            for name in domain.where if far and not most else far:
                reach = largest_change(self.mechanism, name, self.public) * most
                change = max(-reach, min(reach, pair.q_[name] - pair.q[name]))
                pair = replace(pair, q_={**pair.q_, name: pair.q[name] + change})
        return pair

    def _by_parameter(self, answers: Sequence[Fraction]) -> dict[str, Any]:
        values: dict[str, Any] = {name: () for name, kind in self.mechanism.private.items() if kind.vector}
        for (name, position), answer in zip(self.places, answers, strict=True):
            values[name] = answer if position is None else (*values[name], answer)
        return values


def largest_change(mechanism: MechanismProgram, name: str, public: Mapping[str, Any]) -> Fraction:
    """How far an answer of a parameter may change: its sensitivity, or the largest multiple of its lattice below."""
    kind, step = mechanism.private[name], mechanism.domain.lattice(name, public)
    # Where no sensitivity holds, by far more than where it does.
    bound = Fraction(kind.bound_where_it_holds(public)) * (1 if kind.local is None else _FAR)
    return bound if step is None else bound // step * step


# Patterns


def together(count: int) -> Pattern:
    """All answers move one way."""
    return (1,) * count


def alternating(count: int) -> Pattern:
    """Each answer moves against the one before it."""
    return tuple((-1) ** i for i in range(count))


def first_against_rest(count: int) -> Pattern:
    """The first answer moves one way, all others the other."""
    return (1, *(-1,) * (count - 1))


def halves(count: int) -> Pattern:
    """The first half of the answers moves one way, the second the other."""
    half = count // 2
    return (1,) * half + (-1,) * (count - half)


def alone(count: int, position: int) -> Pattern:
    """One answer moves."""
    return tuple(int(i == position) for i in range(count))


def first_moves(pattern: Pattern, most: int) -> Pattern:
    """The pattern in which only the first ``most`` of the answers that move do.

    >>> first_moves((0, 1, -1, 1), 2)
    (0, 1, -1, 0)
    """
    moved = itertools.accumulate(map(abs, pattern))
    return tuple(way if so_far <= most else 0 for way, so_far in zip(pattern, moved, strict=True))


def _some_moves(changes: Sequence[Any], most: int, source: random.Random) -> list[Any]:
    """The changes, of which ``most`` are kept, at random."""
    moving = [i for i, change in enumerate(changes) if change]
    kept = set(moving if len(moving) <= most else source.sample(moving, most))
    return [change if i in kept else 0 * change for i, change in enumerate(changes)]


def telling_patterns(adjacency: Adjacency, parts: Sequence[Sequence[int]], count: int, most: int) -> list[Pattern]:
    """Every way in which parts of the answers may move under an adjacency, each part as a whole, ``most`` at a time.

    Where a single answer may change, it is the first of a part; where a number of them may, the first that would move.

    >>> telling_patterns(Adjacency.MONOTONE, [[0], [1, 2]], 3, 2)
    [(1, 1, 1), (1, 0, 0), (0, 1, 1), (0, -1, -1), (-1, 0, 0), (-1, -1, -1)]
    """
    if adjacency in (Adjacency.ONE, Adjacency.L1):
        singles = [alone(count, part[0]) for part in parts]
        return [tuple(sign * way for way in single) for single in singles for sign in (1, -1)]
    patterns = []
    for signs in itertools.product((1, 0, -1), repeat=min(len(parts), most)):
        if any(signs) and not (adjacency is Adjacency.MONOTONE and {1, -1} <= set(signs)):
            ways = {place: sign for part, sign in zip(parts, signs, strict=False) for place in part}
            patterns.append(tuple(ways.get(place, 0) for place in range(count)))
    if adjacency.most is not None:
        patterns = list(dict.fromkeys(first_moves(pattern, int(adjacency.most)) for pattern in patterns))
    return patterns


# Answers beside the numbers that a program holds


def centre(mechanism: MechanismProgram, source: random.Random) -> Fraction:
    """Answers near the number they are compared with, where the program holds one (10,000, say)."""
    large = large_constants(mechanism)
    return source.choice(large) if large else Fraction(0)


@lru_cache(maxsize=16)
def large_constants(mechanism: MechanismProgram) -> tuple[Fraction, ...]:
    """The large numbers in a program, which answers may be compared with; none where the answers have a lattice."""
    if any(kind.lattice for kind in mechanism.private.values()):
        return ()
    return tuple(
        Fraction(node.value)
        for node in walk(*mechanism.program.body)
        if isinstance(node, Constant) and isinstance(node.value, int | Fraction) and abs(Fraction(node.value)) > 10
    )


# Random pairs


def random_pairs(
    mechanism: MechanismProgram, adjacency: Adjacency, source: random.Random, sizes: Sequence[int] | None = None
) -> Iterator[Witness]:
    """Yields adjacent inputs without end: eight for each number of queries in ``sizes``, over and over.

    Without ``sizes`` they are small ones, and those that the program needs for the items that it reads by number.
    """
    sizes = (*SIZES, *sizes_needed(mechanism)) if sizes is None else sizes
    while True:
        for size in sizes:
            for shape in range(8):
                yield _random_pair(mechanism, adjacency, source, size, shape)


def answers_needed(mechanism: MechanismProgram) -> int:
    """How many answers there must be for the items that a program reads, or selects, by a number written in it."""
    nodes = list(walk(*mechanism.program.body))
    read = (node.index for node in nodes if isinstance(node, Item))
    least = [i.value + 1 for i in read if isinstance(i, Constant) and type(i.value) is int]
    selected = (n.arguments[-1] for n in nodes if isinstance(n, Builtin) and n.function == "largest")
    least += [k.value for k in selected if isinstance(k, Constant) and type(k.value) is int]
    return min(max(least, default=0), MOST_NEEDED)


def sizes_needed(mechanism: MechanismProgram) -> tuple[int, ...]:
    """How many answers there must be, and one more, where a program reads an item of a high number."""
    most = answers_needed(mechanism)
    return (most, most + 1) if most > max(SIZES) else ()


@lru_cache(maxsize=16)
def read_by_rows(mechanism: MechanismProgram) -> tuple[str, ...]:
    """The public lists that a program reads row by row, as in ``R[i * n + j]``: these need an item for each product."""
    names = (
        node.sequence.name
        for node in walk(*mechanism.program.body)
        if isinstance(node, Item) and isinstance(node.sequence, Name)
        if any(isinstance(part, Arithmetic) and part.operator == "*" for part in walk(node.index))
    )
    return tuple(name for name in dict.fromkeys(names) if name in mechanism.public)


def _random_pair(
    mechanism: MechanismProgram, adjacency: Adjacency, source: random.Random, size: int, shape: int
) -> Witness:
    public: dict[str, Any] = {}
    for name, kind in mechanism.public.items():
        choices = kind.sample_values()
        if kind.vector:
            public[name] = tuple(source.choice(choices[:3]) for _ in range(size))
        else:
            pick = choices[0] if source.random() < 0.5 else source.choice(choices)
            public[name] = int(pick) if kind.integer else pick
    whole = (int(value) for name, value in public.items() if mechanism.public[name].integer)
    rows = min(max((size, *whole)), MOST_NEEDED)
    for name in read_by_rows(mechanism):
        public[name] = tuple(source.choice(mechanism.public[name].sample_values()[:3]) for _ in range(rows * size))
    public = mechanism.domain.on_lattices(public)
    middle = centre(mechanism, source)
    sign = 1 if source.random() < 0.5 else -1
    answers: list[Fraction] = []
    changes: list[list[Fraction]] = []
    for name, query in mechanism.private.items():
        count = size if query.vector else 1
        bound, step = largest_change(mechanism, name, public), mechanism.domain.lattice(name, public)
        answers += [middle + x for x in _random_answers(source, shape, count, bound, step)]
        changes.append(_random_changes(adjacency, source, shape, count, bound, step, sign))
    together = _shared(mechanism, adjacency, changes, source, public)
    return PrivateAnswers(mechanism, public, size).witness(answers, together)


def _shared(
    mechanism: MechanismProgram,
    adjacency: Adjacency,
    changes: Sequence[Sequence[Fraction]],
    source: random.Random,
    public: Mapping[str, Any],
) -> list[Fraction]:
    """The changes of all parameters, cut down to what adjacency allows them together.

    Under ``one`` and ``l1`` one of the parameters keeps its changes, or under ``l1`` each keeps an equal share, which
    moves either way.
    """
    if adjacency in (Adjacency.ONE, Adjacency.L1) and len(changes) > 1:
        ways = [[Fraction(i == kept) for i in range(len(changes))] for kept in range(len(changes))]
        if adjacency is Adjacency.L1:
            ways.append([source.choice((1, -1)) * Fraction(1, len(changes)) for _ in changes])
        shares, steps = source.choice(ways), [mechanism.domain.lattice(name, public) for name in mechanism.private]
        cut = [[change * share for change in own] for own, share in zip(changes, shares, strict=True)]
        changes = [[s * int(d / s) if s else d for d in own] for own, s in zip(cut, steps, strict=True)]
    together = [change for own in changes for change in own]
    return together if adjacency.most is None else _some_moves(together, adjacency.allowance(public, None), source)


def _random_answers(
    source: random.Random, shape: int, count: int, bound: Fraction, step: Fraction | None
) -> list[Fraction]:
    """The answers of D: all alike, apart by less than the sensitivity, or spread out."""
    if shape % 4 == 0:
        level = [Fraction(0)] * count
    elif shape % 4 == 3:
        level = [Fraction(source.randint(-5, 5)) for _ in range(count)]
    else:
        level = [source.choice(_LEVELS) * bound for _ in range(count)]
    return [step * round(x / step) for x in level] if step else level


def _random_changes(
    adjacency: Adjacency,
    source: random.Random,
    shape: int,
    count: int,
    bound: Fraction,
    step: Fraction | None,
    sign: int,
) -> list[Fraction]:
    """The changes of the answers: all up, all down, a single one, alternating, or independent of one another."""
    if adjacency is Adjacency.ONE or (adjacency is Adjacency.L1 and shape % 2 == 0):
        return [sign * bound * way for way in alone(count, source.randrange(count))]
    if shape < 5:
        pattern = (together, together, alternating, alternating, first_against_rest)[shape](count)
        change = [sign * bound * way for way in pattern]
    else:
        parts = (Fraction(1), Fraction(1, 2), Fraction(0))
        change = [source.choice((1, -1)) * source.choice(parts) * bound for _ in range(count)]
    if step:
        change = [step * int(d / step) for d in change]
    if adjacency is Adjacency.MONOTONE:
        change = [sign * abs(d) for d in change]
    if adjacency is Adjacency.L1:
        total = sum(abs(d) for d in change) or Fraction(1)
        change = [d * bound / total for d in change]
    return change


def level_pair(
    mechanism: MechanismProgram,
    adjacency: Adjacency,
    public: Mapping[str, Any],
    size: int,
    source: random.Random,
    number: int,
) -> Witness:
    """Inputs with equal answers on D, moved as far as allowed: all down, all up, not at all, or at random.

    ``number`` says which of these. Where only a single answer may change, one of them moves.
    """
    level = centre(mechanism, source)
    counts = [size if query.vector else 1 for query in mechanism.private.values()]
    patterns = [_level_pattern(adjacency, count, source, number) for count in counts]
    answers = PrivateAnswers(mechanism, public, size)
    if adjacency in (Adjacency.ONE, Adjacency.L1) and len(counts) > 1:
        moving = source.randrange(len(counts))
        patterns = [way if i == moving else (0,) * len(way) for i, way in enumerate(patterns)]
    pattern = tuple(way for own in patterns for way in own)
    if adjacency.most is not None:
        pattern = tuple(_some_moves(pattern, adjacency.allowance(public, None), source))
    return answers.witness([level] * len(pattern), answers.moved(pattern))


def _level_pattern(adjacency: Adjacency, count: int, source: random.Random, number: int) -> Pattern:
    way = (-1, 1, 0, source.choice((1, -1)))[number % 4]
    if adjacency in (Adjacency.ONE, Adjacency.L1):
        return tuple(way * x for x in alone(count, source.randrange(count)))
    if number % 4 < 3:
        return (way,) * count
    ways = (0, 1) if adjacency is Adjacency.MONOTONE else (1, -1)
    return tuple(way * source.choice(ways) for _ in range(count))
