"""Adjacent pairs to try: the telling ones first, then random ones; and pairs from a real table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from alignkit.language.parameters import Query
from alignkit.noise import Distribution
from alignkit.running.adjacency import Adjacency
from alignkit.running.alignment import Alignment
from alignkit.running.mechanism import Mechanism

Values = dict[str, Any]

SIZES = (1, 2, 3, 2, 4, 5)
_LEVELS = tuple(Fraction(x, 2) for x in (0, 0, 0, 1, -1, 2, -2, 3, -3, 4, -4, 6, -6))


def pairs(
    alignment: Alignment, source: random.Random, sizes: Sequence[int] = SIZES
) -> Iterator[tuple[Values, Values]]:
    """Arguments on D and D′, without end; ``sizes`` are the numbers of queries, one after the other."""
    while True:
        for size in sizes:
            for shape in range(8):
                yield _pair(alignment, source, size, shape)


def _pair(alignment: Alignment, source: random.Random, size: int, shape: int) -> tuple[Values, Values]:
    mechanism = alignment.mechanism
    values: Values = {}
    for name, kind in mechanism.public.items():
        choices = kind.sample_values()
        if kind.vector:
            values[name] = tuple(source.choice(choices[:3]) for _ in range(size))
        else:
            pick = choices[0] if source.random() < 0.5 else source.choice(choices)
            values[name] = int(pick) if kind.integer else pick
    values = mechanism.on_lattices(values)
    values_ = dict(values)
    middle = centre(alignment, source)
    up = source.random() < 0.5
    for name, query in mechanism.private.items():
        count = size if query.vector else 1
        bound = Fraction(mechanism.sensitivity(name, values))
        step = mechanism.lattice(name, values)
        bound = bound // step * step if step else bound
        level = _levels(source, shape, count, bound, step)
        one = [middle + x for x in level]
        change = _changes(alignment.adjacency, source, shape, count, bound, step, up)
        other = [x + d for x, d in zip(one, change, strict=True)]
        values[name] = tuple(one) if query.vector else one[0]
        values_[name] = tuple(other) if query.vector else other[0]
    return values, values_


def centre(alignment: Alignment, source: random.Random) -> Fraction:
    """Answers near the number they are compared with, where the program holds one (10,000, say)."""
    large = large_constants(alignment.mechanism)
    return source.choice(large) if large else Fraction(0)


@lru_cache(maxsize=16)
def large_constants(mechanism: Mechanism) -> tuple[Fraction, ...]:
    """The large numbers in a program, which answers may be compared with; none where the answers have a lattice."""
    from alignkit.language.program import Constant, walk

    if any(kind.lattice for kind in mechanism.private.values()):
        return ()
    return tuple(
        Fraction(node.value)
        for statement in mechanism.program.body
        for node in walk(statement)
        if isinstance(node, Constant) and isinstance(node.value, int | Fraction) and abs(Fraction(node.value)) > 10
    )


def _levels(source: random.Random, shape: int, count: int, bound: Fraction, step: Fraction | None) -> list[Fraction]:
    """The answers of D: all alike, apart by less than the sensitivity, or spread out."""
    if shape % 4 == 0:
        level = [Fraction(0)] * count
    elif shape % 4 == 3:
        level = [Fraction(source.randint(-5, 5)) for _ in range(count)]
    else:
        level = [source.choice(_LEVELS) * bound for _ in range(count)]
    return [step * round(x / step) for x in level] if step else level


def _changes(
    adjacency: Adjacency,
    source: random.Random,
    shape: int,
    count: int,
    bound: Fraction,
    step: Fraction | None,
    up: bool,
) -> list[Fraction]:
    """How the answers change: all up, all down, one, alternating, or each on its own."""
    sign = 1 if up else -1
    if adjacency in (Adjacency.ONE, Adjacency.L1) and (adjacency is Adjacency.ONE or shape % 2 == 0):
        change = [Fraction(0)] * count
        change[source.randrange(count)] = sign * bound
        return change
    parts = (Fraction(1), Fraction(1, 2), Fraction(0))
    if shape in (0, 1):
        change = [sign * bound] * count
    elif shape in (2, 3):
        change = [sign * bound * (1 if i % 2 == 0 else -1) for i in range(count)]
    elif shape == 4:
        change = [sign * bound if i == 0 else -sign * bound for i in range(count)]
    else:
        change = [source.choice((1, -1)) * source.choice(parts) * bound for _ in range(count)]
    if step:
        change = [step * int(d / step) for d in change]
    if adjacency is Adjacency.MONOTONE:
        change = [sign * abs(d) for d in change]
    if adjacency is Adjacency.L1:
        total = sum(abs(d) for d in change) or Fraction(1)
        change = [d * bound / total for d in change]
    return change


def guess(source: random.Random, distribution: Distribution, arguments: tuple[Any, ...], bound: Fraction) -> Any:
    """A value of noise: small, often 0, sometimes far out, always in the support."""
    if not distribution.support.continuous:
        value: Any = Fraction(arguments[-1]) * source.choice((0, 0, 1, -1, 2, -2, 3))
    else:
        far = 4 if source.random() < 0.15 else 1
        value = Fraction(source.randint(-8, 8), source.choice((1, 2, 3, 4))) * far * max(bound, Fraction(1)) / 2
    return abs(value) if distribution.support.one_sided else value


def record_pairs(
    alignment: Alignment, table: Sequence[frozenset[str]], source: random.Random, most: int = 10
) -> Iterator[tuple[Values, Values]]:
    """Item counts of a real table, and of the same with one record dropped, or the other way round.

    The queries are some items of the record and some others; numbers that the counts are compared with are
    taken near one of them.
    """
    (name,) = [n for n, kind in alignment.mechanism.private.items() if isinstance(kind, Query)]
    counts = Counter(item for record in table for item in record)
    items = sorted(counts)
    while True:
        record = source.choice(table)
        own = sorted(record)
        chosen = source.sample(own, min(len(own), most // 2))
        others = source.sample(items, min(len(items), most - len(chosen)))
        chosen = list(dict.fromkeys([*chosen, *others]))
        source.shuffle(chosen)
        whole = tuple(counts[item] for item in chosen)
        less = tuple(counts[item] - (item in record) for item in chosen)
        values = _near(alignment, whole, source)
        one, other = (whole, less) if source.random() < 0.5 else (less, whole)
        yield {**values, name: one}, {**values, name: other}


def _near(alignment: Alignment, answers: tuple[int, ...], source: random.Random) -> Mapping[str, Any]:
    values: Values = {}
    for name, kind in alignment.mechanism.public.items():
        choices = kind.sample_values()
        if kind.vector:
            values[name] = answers
        elif kind.positive:
            values[name] = int(choices[0]) if kind.integer else source.choice(choices)
        else:
            values[name] = Fraction(source.choice(answers))
    return alignment.mechanism.on_lattices(values)
