"""Arrays of outputs: for every run and position the tags, Booleans, whole numbers and other numbers, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from alignkit.batching.batch_values import Items, ItemTable, Mixture, Part, arrays, options_of, taken
from alignkit.batching.columns import Array, NumberColumn
from alignkit.batching.frames import Usual
from alignkit.batching.sequences import item_at
from alignkit.batching.unsupported import Unbatched
from alignkit.language.kinds import Kind
from alignkit.language.program import Call, Constant, Function, walk
from alignkit.language.tags import Tag

TAG, TRUTH, NUMBER = "tag", "truth", "number"
NOTHING = {TAG: -1, TRUTH: -1, NUMBER: np.nan}
TYPES = {TAG: np.int8, TRUTH: np.int8, NUMBER: np.float64}

Emitted = tuple[Array, Array, Any]


# Parts of some outputs: rows, positions, and the values there.
Pieces = list[tuple[Array, Array, Any]]

# Pieces that fill less than this share of an array are kept as they are.
_SPARSE = 1 / 8


@dataclass
class Collected:
    """The outputs of some runs: their lengths, and by kind and number each part of an output.

    A part is an array over runs and positions, or pieces of one that is nearly empty.
    """

    lengths: Array
    parts: dict[tuple[str, int], Array | Pieces] = field(default_factory=dict)

    @property
    def longest(self) -> int:
        return int(self.lengths.max()) if len(self.lengths) else 0

    def into(self, part: tuple[str, int], array: Array) -> None:
        """Write one of the parts into an array that is at least as large."""
        given = self.parts.get(part)
        if isinstance(given, np.ndarray):
            array[:, : given.shape[1]] = given
            array[:, given.shape[1] :] = NOTHING[part[0]]
            return
        array[:] = NOTHING[part[0]]
        for rows, positions, values in given or ():
            array[rows, positions] = values


def collect_parts(lengths: Array, emitted: Sequence[Emitted], usual: Usual, tags: Mapping[Tag, int]) -> Collected:
    """The outputs, given with their rows and positions, part by part; all others are the usual one."""
    pieces: dict[tuple[str, int], Pieces] = {}
    for rows, positions, value in emitted:
        for at, plain in _plain(value, len(rows)):
            here = (rows, positions) if at is None else (rows[at], positions[at])
            for key, part in _numbered(plain, tags):
                pieces.setdefault(key, []).append((*here, part))
    collected = Collected(lengths)
    shape = (len(lengths), collected.longest)
    common = dict(_numbered(usual.value, tags)) if usual.known else {}
    for key in {**common, **pieces}:
        listed = pieces.get(key, [])
        if key not in common and sum(len(rows) for rows, _, _ in listed) <= _SPARSE * shape[0] * shape[1]:
            collected.parts[key] = listed
            continue
        array = np.full(shape, common.get(key, NOTHING[key[0]]), dtype=TYPES[key[0]])
        if key in common:
            if int(lengths.min()) < collected.longest:
                array[np.arange(shape[1]) >= lengths[:, None]] = NOTHING[key[0]]
            for rows, positions, _ in emitted:
                array[rows, positions] = NOTHING[key[0]]
        for rows, positions, values in listed:
            array[rows, positions] = values
        collected.parts[key] = array
    return collected


def _numbered(value: Any, tags: Mapping[Tag, int]) -> Iterator[tuple[tuple[str, int], Any]]:
    """The parts of an output, numbered within each kind."""
    counts: dict[str, int] = {}
    for kind, part in _parts(value, tags):
        number = counts.get(kind, 0)
        counts[kind] = number + 1
        yield (kind, number), part


def _plain(value: Any, size: int) -> Iterator[tuple[Array | None, Any]]:
    """The value by options_of, until no mixture is left in it."""
    mixture = _mixture(value)
    if mixture is None:
        yield None, value
        return
    for at, _ in options_of(mixture, (size,)):
        inner = _without(taken(value, (size,), at), mixture, int(np.broadcast_to(mixture.codes, (size,))[at[0]]))
        for deeper, plain in _plain(inner, len(at)):
            yield (at if deeper is None else at[deeper]), plain


def _mixture(value: Any) -> Mixture | None:
    if isinstance(value, Mixture):
        return value
    if isinstance(value, Items):
        return next((m for v in value.values if (m := _mixture(v)) is not None), None)
    return None


def _without(value: Any, mixture: Mixture, code: int) -> Any:
    """A value whose first mixture has the same code everywhere."""
    if isinstance(value, Mixture):
        return value.options[code]
    values = list(value.values)
    for i, v in enumerate(values):
        if _mixture(v) is not None:
            values[i] = _without(v, mixture, code)
            break
    return Items(tuple(values))


def _parts(value: Any, tags: Mapping[Tag, int]) -> Iterator[tuple[str, Any]]:
    """What an output consists of, in order."""
    if isinstance(value, Tag):
        yield TAG, tags[value]
    elif isinstance(value, bool | np.ndarray):
        yield TRUTH, value
    elif isinstance(value, NumberColumn):
        yield NUMBER, value.floats
    elif isinstance(value, tuple | Items):
        for item in value.values if isinstance(value, Items) else value:
            yield from _parts(item, tags)
    elif isinstance(value, ItemTable):
        rows = np.arange(len(next(iter(_arrays(value))))) if value.rows is None else value.rows
        for i in range(value.length):
            yield from _parts(item_at(ItemTable(value.columns, value.length, rows), i, None), tags)
    elif value is not None:
        try:
            yield NUMBER, float(value)
        except TypeError:
            raise Unbatched("an output of another kind") from None


def _arrays(value: ItemTable) -> Iterator[Array]:
    return arrays(value.columns)


def positions_of(parts: Sequence[Part], size: int, kind: Kind) -> tuple[Array, list[Emitted]]:
    """Lengths and outputs of functions that return: one output, or one for each item of a list of like items."""
    lengths = np.zeros(size, dtype=np.int64)
    emitted: list[Emitted] = []
    several = is_several(kind)
    for whole in parts:
        for at, value in _by_option(whole.value, len(whole.at)):
            rows = whole.at if at is None else whole.at[at]
            if value is None:
                continue
            items = _items(value) if several else [value]
            lengths[rows] = len(items)
            emitted += [(rows, np.full(len(rows), i), item) for i, item in enumerate(items)]
    return lengths, emitted


def _by_option(value: Any, size: int) -> Iterator[tuple[Array | None, Any]]:
    if not isinstance(value, Mixture):
        yield None, value
        return
    for at, option in options_of(value, (size,)):
        for deeper, plain in _by_option(option, len(at)):
            yield (at if deeper is None else at[deeper]), plain


def _items(value: Any) -> list[Any]:
    if isinstance(value, ItemTable):
        rows = np.arange(len(next(iter(_arrays(value))))) if value.rows is None else value.rows
        table = ItemTable(value.columns, value.length, rows)
        return [item_at(table, i, None) for i in range(value.length)]
    return list(value.values if isinstance(value, Items) else value)


def python_outputs(lengths: Array, emitted: Sequence[Emitted], usual: Usual) -> list[list[Any]]:
    """The outputs of each run as Python has them."""
    common = usual.value if usual.known else None
    outputs: list[list[Any]] = [[common] * length for length in lengths.tolist()]
    for rows, positions, value in emitted:
        values = as_python(value, len(rows))
        for row, position, each in zip(rows.tolist(), positions.tolist(), values, strict=True):
            outputs[row][position] = each
    return outputs


def as_python(value: Any, size: int) -> list[Any]:
    """A value as Python has it in each run; lists and tuples are tuples."""
    if isinstance(value, NumberColumn):
        return value.map(lambda a: np.broadcast_to(a, (size,))).values()
    if isinstance(value, np.ndarray):
        return list(np.broadcast_to(value, (size,)).tolist())
    if isinstance(value, Items):
        return list(zip(*(as_python(v, size) for v in value.values), strict=True))
    if isinstance(value, ItemTable):
        columns = [as_python(v, size) for v in _items(value)]
        return list(zip(*columns, strict=True))
    if isinstance(value, Mixture):
        made: list[Any] = [None] * size
        for at, option in options_of(value, (size,)):
            for place, each in zip(at.tolist(), as_python(option, len(at)), strict=True):
                made[place] = each
        return made
    return [value] * size


def tags_of(function: Function) -> list[Tag]:
    """The tags that stand in a program and in the functions that it calls, in order."""
    found: dict[Tag, None] = {}
    for node in walk(*function.body):
        if isinstance(node, Constant) and isinstance(node.value, Tag):
            found[node.value] = None
        if isinstance(node, Call):
            found.update(dict.fromkeys(tags_of(node.function)))
    return list(found)


def whole_numbers(kind: Kind) -> list[bool] | bool:
    """Which numbers of an output are whole in every output, by their order; or whether all or none of them are."""
    return _wholes(kind.parts[0] if is_several(kind) else kind)


def is_several(kind: Kind) -> bool:
    """Whether a value of the kind is a list of like outputs, and not one output."""
    return kind.name == "vector" or (kind.name == "tuple" and len(set(kind.parts)) == 1)


def _wholes(kind: Kind) -> list[bool] | bool:
    if kind.name == "tuple":
        found: list[bool] = []
        for part in kind.parts:
            wholes = _wholes(part)
            if isinstance(wholes, bool):
                if part.is_number:
                    found.append(wholes)
                elif part.name not in ("tag", "bool", "none"):
                    return False
            else:
                found += wholes
        return found
    return _wholes(kind.parts[0]) if kind.name == "vector" else kind.name == "int"
