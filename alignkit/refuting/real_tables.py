"""Adjacent inputs from a real table: the counts of its items, with a record dropped or added."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.language.parameters import Query
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram


def record_pairs(
    alignment: AlignmentProgram, table: Sequence[frozenset[str]], source: random.Random, most: int = 10
) -> Iterator[Witness]:
    """Item counts of a real table, and of the same with one record dropped, or the other way round.

    The queries are some items of the record and some others; numbers that the counts are compared with are
    taken near one of them.
    """
    (name,) = [n for n, kind in alignment.mechanism.private.items() if isinstance(kind, Query)]
    counts = Counter(item for record in table for item in record)
    items = sorted(counts)
    while True:
        record = source.choice(table)
        in_record = sorted(record)
        chosen = source.sample(in_record, min(len(in_record), most // 2))
        others = source.sample(items, min(len(items), most - len(chosen)))
        chosen = list(dict.fromkeys([*chosen, *others]))
        source.shuffle(chosen)
        whole = tuple(counts[item] for item in chosen)
        less = tuple(counts[item] - (item in record) for item in chosen)
        public = _near(alignment, whole, source)
        one, other = (whole, less) if source.random() < 0.5 else (less, whole)
        yield Witness(public, {name: one}, {name: other})


def _near(alignment: AlignmentProgram, answers: tuple[int, ...], source: random.Random) -> Mapping[str, Any]:
    values: dict[str, Any] = {}
    for name, kind in alignment.mechanism.public.items():
        choices = kind.sample_values()
        if kind.vector:
            values[name] = answers
        elif kind.positive:
            values[name] = int(choices[0]) if kind.integer else source.choice(choices)
        else:
            values[name] = Fraction(source.choice(answers))
    return alignment.mechanism.domain.on_lattices(values)
