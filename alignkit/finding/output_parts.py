"""Which part of the output goes with which draws, where several loops or selections follow one another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from alignkit.finding.paired_runs import Drawn, PairedRun
from alignkit.language.program import Comprehension, Draw, For, Name, Yield, walk
from alignkit.running.mechanism_decorator import Mechanism

# Which part of the output may be the position that a selection gives, where the output has several parts.
_PLACES = (0, 1, 2, 3, -1)

# How many outputs may come between loops.
_BETWEEN = (0, 1, 2, 3)


def in_step(mechanism: Mechanism, key: str, of_key: Sequence[Sequence[Drawn]]) -> bool:
    """Whether the draws of a key come one before each output of a loop, in each run; other outputs may come first."""
    firsts = [{_offset(d) for d in drawn if len(d.where.index) == 1} for drawn in of_key]
    all_single = all(len(d.where.index) == 1 for drawn in of_key for d in drawn)
    several = any(len(drawn) > 1 for drawn in of_key)
    constant = all(len(first) <= 1 and min(first, default=0) >= 0 for first in firsts)
    return _before_outputs(mechanism, key) and all_single and several and constant


def _before_outputs(mechanism: Mechanism, key: str) -> bool:
    """Whether no loop gives something out and then makes this draw, in the order of its lines."""
    for loop in (node for node in walk(*mechanism.program.body) if isinstance(node, For)):
        given_out = False
        for node in walk(*loop.body):
            given_out |= isinstance(node, Yield)
            if given_out and isinstance(node, Draw) and node.name == key:
                return False
    return True


def _offset(drawn: Drawn) -> int:
    """How many outputs come before those of the loop of a draw, which comes before the output of its iteration."""
    return drawn.outputs_before - int(drawn.where.index[0])


def offset_text(pairs: Sequence[PairedRun], key: str, keys: Sequence[str]) -> str | None:
    """How many outputs come before those of a loop, as an alignment may write it; None where no text is found.

    ``keys`` are those of draws in loops.
    """
    firsts = [(pair, next((d for d in pair.drawn if d.where.key == key), None)) for pair in pairs]
    wanted = {id(pair): _offset(first) for pair, first in firsts if first is not None}
    for text, counts in _sums_of_counts(pairs, [other for other in keys if other != key]):
        if all(counts[pair] == count for pair, count in wanted.items()):
            return text
    return None


def _sums_of_counts(pairs: Sequence[PairedRun], keys: Sequence[str]) -> Iterator[tuple[str, Mapping[int, int]]]:
    counts = {key: {id(pair): sum(d.where.key == key for d in pair.drawn) for pair in pairs} for key in keys}
    for several in range(len(keys) + 1):
        for chosen, more in itertools.product(itertools.combinations(keys, several), _BETWEEN):
            parts = [f"len(H.{key})" for key in chosen] + [str(more)] * (more > 0)
            yield " + ".join(parts), {id(pair): more + sum(counts[key][id(pair)] for key in chosen) for pair in pairs}


def range_text(mechanism: Mechanism, pairs: Sequence[PairedRun], key: str, first: str) -> str | None:
    """How many draws of a loop there are, by the length of the output; ``first`` is the text of its offset.

    None where each output has a draw.
    """
    counts, lefts = [], []
    for pair in pairs:
        drawn = [d for d in pair.drawn if d.where.key == key]
        if drawn:
            counts.append(drawn[-1].where.index[0] + 1)
            lefts.append(len(pair.output) - _offset(drawn[0]))
    if counts == lefts and "H." not in first:
        return f"len(omega) - {first}" if first else None
    if not first:
        return f"len(H.{key})"
    return f"min(len({vector_of(mechanism, key)}), len(omega) - {first})"


def vector_of(mechanism: Mechanism, key: str) -> str:
    """The private list over which draws are made, or the first one."""
    vectors = [name for name, kind in mechanism.private.items() if kind.vector]
    for node in walk(*mechanism.program.body):
        if isinstance(node, For | Comprehension) and any(
            isinstance(inner, Draw) and inner.name == key for inner in walk(node)
        ):
            for inner in walk(node.iterable):
                if isinstance(inner, Name) and inner.name in vectors:
                    return inner.name
    return vectors[0] if vectors else ""


def selected_places(pairs: Sequence[PairedRun], keys: Sequence[str]) -> dict[str, int]:
    """Which part of the output names a draw of each key, where every demand on these draws reads the named one."""
    return {key: place for key in keys if (place := _selected_place(pairs, key)) is not None}


def _selected_place(pairs: Sequence[PairedRun], key: str) -> int | None:
    return next((place for place in _PLACES if _names_it(pairs, key, place)), None)


def _names_it(pairs: Sequence[PairedRun], key: str, place: int) -> bool:
    asked = 0
    for pair in pairs:
        named = named_part(pair.output, place)
        of_key = {str(d.where) for d in pair.drawn if d.where.key == key}
        if named is None:
            return False
        asking = [demand for demand in pair.demands if of_key & demand.factors.keys()]
        if any(f"{key}[{named}]" not in demand.factors for demand in asking):
            return False
        asked += any(len(of_key & demand.factors.keys()) > 1 for demand in asking)
    return asked > 0


def named_part(output: Any, place: int) -> int | None:
    """The position that this part of an output is; None where it is none."""
    if not isinstance(output, tuple) or not -len(output) <= place < len(output):
        return None
    part = output[place]
    return part if isinstance(part, int) and not isinstance(part, bool) else None
