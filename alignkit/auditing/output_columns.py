"""One position in the outputs of many runs, which holds a number or a label in each run."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alignkit.arithmetic.enclosures import float_above
from alignkit.errors import InputError
from alignkit.output_events import Anything, Interval, OneOf, fits

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
