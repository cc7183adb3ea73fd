"""Outputs of many runs, column by column, so that an event is counted over a million of them at once.

An output is a number, a label (text, a tag, None, a truth value, a member of an enum, bytes, a frozenset) or a tuple of
outputs. Runs are grouped by structure: None for a number or label, a tuple of structures for a tuple.

One position in the outputs of many runs, which holds a number or a label in each run.
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

from alignkit.arithmetic.enclosures import float_above
from alignkit.errors import InputError
from alignkit.language.tags import Tag
from alignkit.output_events import (
    ANYTHING,
    Anything,
    Event,
    Interval,
    OneOf,
    equal_outputs,
    fits,
    flattened,
    with_parts,
)

_EXACT_IN_FLOAT = 2**53


@dataclass(frozen=True)
class Column:
    """``codes[i]`` is the place in ``labels`` of run i's label, or -1 where it has a number: then ``numbers[i]``.

    Numbers are floats, 64-bit integers, or Python's own (fractions, and integers of any size): comparisons with them
    are exact.
    """

    numbers: NDArray[Any]
    codes: NDArray[np.int32]
    labels: tuple[Hashable, ...] = ()

    @classmethod
    def of_numbers(cls, numbers: NDArray[Any]) -> Column:
        """The column of numbers alone."""
        return cls(numbers, np.full(len(numbers), -1, dtype=np.int32))

    @classmethod
    def of(cls, values: list[Any], name: str) -> Column:
        """The column of numbers and labels as Python has them."""
        types = set(map(type, values))
        if types <= {float}:
            return cls.of_array(np.array(values, dtype=np.float64), name)
        if types <= {int, float, Fraction}:
            return cls.of_numbers(_numbers(values, name))
        places: dict[Any, int] = {}
        codes = np.empty(len(values), dtype=np.int32)
        numbers: list[Any] = []
        for i, value in enumerate(values):
            if type(value) in (int, float, Fraction):
                codes[i] = -1
                numbers.append(value)
            else:
                # True and 1 are equal, a column's labels are not: the type is part of the key.
                codes[i] = places.setdefault((type(value), value), len(places))
                numbers.append(0)
        return cls(_numbers(numbers, name), codes, tuple(value for _, value in places))

    @classmethod
    def of_array(cls, values: NDArray[Any], name: str) -> Column:
        """The column of a one-dimensional array of floats, integers, truth values or text."""
        kind = values.dtype.kind
        if kind == "f":
            numbers = np.ascontiguousarray(values, dtype=np.float64)
            if np.isnan(numbers).any():
                raise InputError(
                    f"{name} returned NaN, which lies in no interval; return None if there is no answer"
                )
            return cls.of_numbers(numbers)
        if kind in "iu":
            if kind == "u" and len(values) and int(values.max()) >= 2**63:
                return cls.of_numbers(values.astype(object))
            return cls.of_numbers(np.ascontiguousarray(values, dtype=np.int64))
        zeros = np.zeros(len(values), dtype=np.int64)
        if kind == "b":
            return cls(zeros, values.astype(np.int32), (False, True))
        labels, codes = np.unique(values, return_inverse=True)
        return cls(zeros, codes.astype(np.int32), tuple(str(label) for label in labels))

    @classmethod
    def join(cls, parts: Sequence[Column]) -> Column:
        """The columns of several batches, one after another."""
        if len(parts) == 1:
            return parts[0]
        places: dict[Any, int] = {}
        codes = []
        for part in parts:
            # One more entry: code -1, a number, is the last.
            new = [places.setdefault((type(label), label), len(places)) for label in part.labels] + [-1]
            codes.append(np.array(new, dtype=np.int32)[part.codes])
        return cls(_join([part.numbers for part in parts]), np.concatenate(codes), tuple(label for _, label in places))

    def fits(self, pattern: Any) -> NDArray[np.bool_]:
        """Which runs' values fit a pattern."""
        if isinstance(pattern, Anything):
            return np.ones(len(self.numbers), dtype=np.bool_)
        numbers = self._numbers_that_fit(pattern)
        if not self.labels:
            return numbers
        # The last entry stands for code -1.
        fitting = np.array([fits(pattern, label) for label in self.labels] + [False], dtype=np.bool_)
        return np.where(self.codes < 0, numbers, fitting[self.codes])

    def _numbers_that_fit(self, pattern: Any) -> NDArray[np.bool_]:
        """Which of ``numbers`` fit a pattern, labels' places among them."""
        numbers = self.numbers
        if isinstance(pattern, Interval):
            inside = np.ones(len(numbers), dtype=np.bool_)
            if pattern.low is not None:
                inside &= numbers >= _threshold(pattern.low, numbers.dtype)
            if pattern.high is not None:
                inside &= numbers < _threshold(pattern.high, numbers.dtype)
            return inside
        values = pattern.values if isinstance(pattern, OneOf) else () if isinstance(pattern, bool) else (pattern,)
        equal = np.zeros(len(numbers), dtype=np.bool_)
        for value in values:
            if isinstance(value, int | float | Fraction):
                equal |= _equal(numbers, value)
        return equal

    def head(self, count: int) -> list[Hashable]:
        """The first values."""
        numbers: list[Hashable] = self.numbers[:count].tolist()
        if not self.labels:
            return numbers
        return [self.labels[c] if c >= 0 else x for c, x in zip(self.codes[:count].tolist(), numbers, strict=True)]

    @property
    def constant(self) -> bool:
        """Whether all runs have the same value."""
        return all(bool((values == values[:1]).all()) for values in (self.codes, self.numbers))

    def where(self, rows: NDArray[np.bool_]) -> Column:
        """The rows that are chosen."""
        return Column(self.numbers[rows], self.codes[rows], self.labels)


def _numbers(values: list[Any], name: str) -> NDArray[Any]:
    types = set(map(type, values))
    if any(value != value for value in values):
        raise InputError(f"{name} returned NaN, which lies in no interval; return None if there is no answer")
    if types <= {int, float}:
        whole = [value for value in values if type(value) is int]
        if all(abs(value) < 2**63 for value in whole) and types <= {int}:
            return np.array(values, dtype=np.int64)
        if all(abs(value) <= _EXACT_IN_FLOAT for value in whole):
            return np.array(values, dtype=np.float64)
    exact = np.empty(len(values), dtype=object)
    exact[:] = values
    return exact


def _join(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Numbers of several batches, none of them rounded."""
    kinds = {part.dtype.kind for part in parts}
    if kinds == {"f", "i"} and any(
        len(part) and max(abs(int(part.min())), abs(int(part.max()))) > _EXACT_IN_FLOAT
        for part in parts
        if part.dtype.kind == "i"
    ):
        parts = [part.astype(object) for part in parts]
    return np.concatenate(parts)


def _threshold(end: Fraction, dtype: np.dtype[Any]) -> Any:
    """The least number t of the type with t >= end: for its numbers, x >= t if and only if x >= end."""
    if dtype.kind == "O":
        return end
    return math.ceil(end) if dtype.kind == "i" else float_above(end)


def _equal(numbers: NDArray[Any], value: float | Fraction) -> NDArray[np.bool_]:
    same: Any
    if numbers.dtype.kind == "O":
        same = value
    else:
        try:
            same = int(value) if numbers.dtype.kind == "i" else float(value)
        except (OverflowError, ValueError):
            same = None
        if same is None or same != value:
            return np.zeros(len(numbers), dtype=np.bool_)
    return np.asarray(numbers == same, dtype=np.bool_)


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
