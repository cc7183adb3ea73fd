"""Outputs of many runs, column by column, so that an event is counted over a million of them at once.

An output is a number, a label (text, a tag, None, a truth value, a member of an enum, bytes, a frozenset) or a tuple of
outputs. Runs are grouped by structure: None for a number or label, a tuple of structures for a tuple.
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from types import GeneratorType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignkit.auditing.output_columns import Column
from alignkit.errors import InputError
from alignkit.language.tags import Tag
from alignkit.output_events import ANYTHING, Event, OneOf, equal_outputs, flattened, with_parts

Structure = tuple[Any, ...] | None

_HEAD_PARTS = 4
_PLAIN = frozenset({int, float, str, bool, Tag, type(None)})
_SEQUENCES = frozenset({tuple, list})


@dataclass(frozen=True)
class Group:
    """The runs whose outputs have one structure; a column for each number or label in it, from left to right."""

    structure: Structure
    columns: tuple[Column, ...]
    size: int

    def head(self, count: int) -> list[Hashable]:
        """The first of these outputs, flattened and cut to a few parts: equal for equal runs."""
        parts = [column.head(count) for column in self.columns[:_HEAD_PARTS]]
        return list(zip(*parts, strict=True)) if parts else [()] * min(count, self.size)


@dataclass(frozen=True)
class Outputs:
    """The outputs of many runs; ``kinds`` are the types they have at the top.

    >>> outputs = Outputs.of([(1, 0.5), (2, -0.5), (1, 1.5)], name="gap")
    >>> outputs.hits(Event((1, ANYTHING))), outputs.kinds
    (2, frozenset({'a sequence'}))
    """

    groups: tuple[Group, ...]
    kinds: frozenset[str]

    @property
    def size(self) -> int:
        """The number of runs."""
        return sum(group.size for group in self.groups)

    @classmethod
    def of(cls, values: Any, *, name: str) -> Outputs:
        """The outputs in an array or sequence of them; InputError, with the name, where one is not supported."""
        if isinstance(values, np.ndarray) and values.ndim and values.dtype.kind in "fiubU":
            return cls._of_array(values, name)
        rows = list(values)
        types = set(map(type, rows))
        if types <= _SEQUENCES and set(map(type, itertools.chain.from_iterable(rows))) <= _PLAIN:
            return cls._of_flat(rows, name)
        if not types <= _PLAIN:
            rows = [plain_output(value, name) for value in rows]
        kinds = frozenset(map(_kind, set(map(type, rows))))
        if "a sequence" not in kinds:
            return cls((Group(None, (Column.of(rows, name),), len(rows)),), kinds)
        by_structure: dict[Structure, list[Sequence[Any]]] = {}
        for row in rows:
            structure = _structure(row)
            flat = row if structure is not None and set(structure) <= {None} else list(flattened(row))
            by_structure.setdefault(structure, []).append(flat)
        groups = tuple(
            Group(structure, tuple(Column.of(list(c), name) for c in zip(*flats, strict=True)), len(flats))
            for structure, flats in by_structure.items()
        )
        return cls(groups, kinds)

    @classmethod
    def _of_flat(cls, rows: list[Any], name: str) -> Outputs:
        """The outputs that are sequences of numbers and labels, which need no look at each of their parts."""
        by_length: dict[int, list[Sequence[Any]]] = {}
        for row in rows:
            by_length.setdefault(len(row), []).append(row)
        groups = tuple(
            Group((None,) * length, tuple(Column.of(list(c), name) for c in zip(*same, strict=True)), len(same))
            for length, same in by_length.items()
        )
        return cls(groups, frozenset({"a sequence"}) if rows else frozenset())

    @classmethod
    def _of_array(cls, values: NDArray[Any], name: str) -> Outputs:
        structure: Structure = None
        for length in reversed(values.shape[1:]):
            structure = (structure,) * length
        flat = values.reshape(len(values), math.prod(values.shape[1:]))
        columns = tuple(Column.of_array(flat[:, i], name) for i in range(flat.shape[1]))
        kind = {"U": "text", "b": "a Boolean"}.get(values.dtype.kind, "a number")
        kinds = frozenset({kind if structure is None else "a sequence"}) if len(values) else frozenset()
        return cls((Group(structure, columns, len(values)),), kinds)

    @classmethod
    def join(cls, parts: Sequence[Outputs]) -> Outputs:
        """The outputs of several batches as one."""
        by_structure: dict[Structure, list[Group]] = {}
        for part in parts:
            for group in part.groups:
                by_structure.setdefault(group.structure, []).append(group)
        groups = tuple(
            Group(
                structure,
                tuple(Column.join(columns) for columns in zip(*(group.columns for group in several), strict=True)),
                sum(group.size for group in several),
            )
            for structure, several in by_structure.items()
        )
        return cls(groups, frozenset().union(*(part.kinds for part in parts)))

    def hits(self, event: Event) -> int:
        """The number of outputs in the event, the same as ``event.holds`` of each output would give."""
        return sum(int(rows_in_event(event, group).sum()) for group in self.groups)

    @property
    def only(self) -> tuple[Any, ...]:
        """The output that all runs have in common, in a tuple of its own; empty if they differ."""
        if len(self.groups) != 1 or not all(column.constant for column in self.groups[0].columns):
            return ()
        return (with_parts(self.groups[0].structure, [column.head(1)[0] for column in self.groups[0].columns]),)


def rows_in_event(event: Event, group: Group) -> NDArray[np.bool_]:
    """Which runs of a group lie in an event."""
    structure, columns = group.structure, list(group.columns)
    if event.more and isinstance(event.pattern, tuple) and isinstance(structure, tuple):
        structure = structure[: len(event.pattern)]
        columns = columns[: leaves(structure)]
    return _fits(event.pattern, structure, columns, group.size)


def leaves(structure: Structure) -> int:
    """How many numbers and labels a structure has.

    >>> leaves(None), leaves((None, (None, None), ()))
    (1, 3)
    """
    return 1 if structure is None else sum(map(leaves, structure))


def _fits(pattern: Any, structure: Structure, columns: list[Column], size: int) -> NDArray[np.bool_]:
    if pattern == ANYTHING:
        return np.ones(size, dtype=np.bool_)
    if structure is None:
        return np.zeros(size, dtype=np.bool_) if isinstance(pattern, tuple) else columns[0].fits(pattern)
    if isinstance(pattern, OneOf):
        some = np.zeros(size, dtype=np.bool_)
        for value in pattern.values:
            if isinstance(value, tuple):
                some |= _fits(equal_outputs(value), structure, columns, size)
        return some
    if not isinstance(pattern, tuple) or len(pattern) != len(structure):
        return np.zeros(size, dtype=np.bool_)
    every, start = np.ones(size, dtype=np.bool_), 0
    for part, inner in zip(pattern, structure, strict=True):
        end = start + leaves(inner)
        every &= _fits(part, inner, columns[start:end], size)
        start = end
    return every


def plain_output(value: Any, name: str) -> Any:
    """An output as numbers, labels and tuples; InputError, with the name, where it is something else.

    >>> plain_output([np.float64(0.5), np.array([1, 2])], "top")
    (0.5, (1, 2))
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list | tuple | GeneratorType | range):
        return tuple(plain_output(part, name) for part in value)
    if isinstance(value, np.longdouble):
        return float(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InputError(f"{name} returned {value}; return finite decimals, or floats")
        return Fraction(value)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, complex):
        raise InputError(f"{name} returned a complex number, {value!r}; return (x.real, x.imag)")
    if callable(getattr(value, "tolist", None)):
        return plain_output(value.tolist(), name)
    if isinstance(value, enum.Enum | bytes):
        return value
    if isinstance(value, frozenset):
        return frozenset(plain_output(part, name) for part in value)
    for base in (bool, int, float, str):
        if isinstance(value, base):
            return base(value)
    hint = "tuple(sorted(x.items()))" if isinstance(value, dict) else "frozenset(x)" if isinstance(value, set) else ""
    raise InputError(
        f"{name} returned an object of type {type(value).__name__}; return numbers, text, None, tags, or tuples of them"
        + (f", here {hint}" if hint else "")
    )


def check_kinds(kinds: Iterable[str], name: str) -> None:
    """Raise InputError if outputs change their type from run to run.

    None, a tag or a member of an enum may stand for an answer that is not given, beside answers of one other type.
    """
    answers = sorted(set(kinds) - {"no answer"})
    if len(answers) > 1:
        raise InputError(
            f"{name} changes its output type from run to run: {' in one run, '.join(answers)} in another; "
            "return one type, or None (or a Tag) where there is no answer"
        )


_KINDS: tuple[tuple[type, str], ...] = (
    (Fraction, "a number"),
    (frozenset, "a set"),
    (bytes, "bytes"),
    (enum.Enum, "no answer"),
    (bool, "a Boolean"),
    (int, "a number"),
    (float, "a number"),
    (str, "text"),
    (tuple, "a sequence"),
)


def _kind(of: type) -> str:
    return next((words for kind, words in _KINDS if issubclass(of, kind)), "no answer")


def _structure(value: Any) -> Structure:
    return tuple(map(_structure, value)) if type(value) is tuple else None


