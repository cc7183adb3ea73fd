"""Numbers that differ from run to run, as ``.sample`` has them in each single run: exact ones and floats.

Exact numbers are whole multiples of a common unit, so that a budget in fractions costs no more than a counter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, cast

import numpy as np

from alignkit.batching.unsupported import Unbatched

Array = np.ndarray[Any, Any]

_INT64 = 2**62
_FLOAT = 2**53


class NumberColumn:
    """An array of numbers: where ``exact`` holds, ``counts`` times ``unit``, and elsewhere ``floats``.

    ``exact`` is True, False, or an array of Booleans. ``bound`` is at least every |count|. ``whole`` says that Python
    has ints. Arrays broadcast to the shape of the frame that holds the column.
    """

    __slots__ = ("_floats", "bound", "counts", "exact", "unit", "whole")

    def __init__(
        self,
        floats: Array | None,
        counts: Array | None = None,
        unit: Fraction = Fraction(1),
        exact: bool | Array = False,
        *,
        bound: int = 0,
        whole: bool = False,
    ) -> None:
        self._floats, self.counts, self.unit, self.exact = floats, counts, unit, exact
        self.bound, self.whole = bound, whole

    @staticmethod
    def of_counts(
        counts: Array, unit: Fraction = Fraction(1), *, bound: int | None = None, whole: bool
    ) -> NumberColumn:
        """Exact numbers."""
        if bound is None:
            bound = int(np.abs(counts).max()) if counts.size else 0
        return NumberColumn(None, counts, unit, True, bound=bound, whole=whole)

    @staticmethod
    def of_values(values: Iterable[Any], shape: tuple[int, ...]) -> NumberColumn:
        """Python's own numbers, in the order of the flattened array."""
        listed = list(values)
        if all(type(v) is float for v in listed):
            return NumberColumn(np.array(listed, dtype=float).reshape(shape))
        if not all(type(v) in (int, Fraction, float) for v in listed):
            raise Unbatched("a number of another kind")
        exact = np.array([type(v) is not float for v in listed], dtype=bool).reshape(shape)
        unit = Fraction(1, math.lcm(*(v.denominator for v in listed if type(v) is not float)))
        numbers = [0 if type(v) is float else int(v / unit) for v in listed]
        bound = max((abs(n) for n in numbers), default=0)
        counts = np.array(numbers, dtype=np.int64 if bound < _INT64 else object).reshape(shape)
        whole = all(type(v) is int for v in listed)
        if exact.all():
            return NumberColumn(None, counts, unit, True, bound=bound, whole=whole)
        floats = np.array([float(v) for v in listed]).reshape(shape)
        return NumberColumn(floats, counts, unit, exact, bound=bound)

    @property
    def floats(self) -> Array:
        """The floats nearest to the numbers."""
        if self._floats is None:
            assert self.counts is not None
            self._floats = rounded(self.counts, self.unit, self.bound)
        return self._floats

    @property
    def shape(self) -> tuple[int, ...]:
        array = self._floats if self.counts is None else self.counts
        assert array is not None
        return cast("tuple[int, ...]", array.shape)

    def map(self, select: Callable[[Array], Array]) -> NumberColumn:
        """The column of the entries that a function selects from each array."""
        return NumberColumn(
            None if self._floats is None else select(self._floats),
            None if self.counts is None else select(self.counts),
            self.unit,
            self.exact if isinstance(self.exact, bool) else select(self.exact),
            bound=self.bound,
            whole=self.whole,
        )

    def values(self) -> list[Any]:
        """Python's own numbers, in the order of the flattened array."""
        if self.exact is False:
            return self.floats.ravel().tolist()
        assert self.counts is not None
        counts = self.counts.ravel().tolist()
        exact = counts if self.whole and self.unit == 1 else [n * self.unit for n in counts]
        if self.whole and self.unit != 1:
            exact = [int(n) for n in exact]
        if self.exact is True:
            return exact
        chosen = np.broadcast_to(self.exact, self.counts.shape).ravel().tolist()
        floats = np.broadcast_to(self.floats, self.counts.shape).ravel().tolist()
        return [n if e else f for n, e, f in zip(exact, chosen, floats, strict=True)]


def rounded(counts: Array, unit: Fraction, bound: int) -> Array:
    """The floats nearest to counts * unit, as ``float(Fraction)`` gives them."""
    above, below = unit.numerator, unit.denominator
    if bound * above <= _FLOAT and below <= _FLOAT:
        # Numerator and denominator are floats, so that the division rounds only once.
        return np.asarray((counts * above) / below if below != 1 else counts * above, dtype=float)
    return by_distinct(counts, lambda n: float(n * unit))


def by_distinct(counts: Array, function: Callable[[int], float]) -> Array:
    """A function of whole numbers, computed once for each that occurs."""
    distinct, inverse = np.unique(counts, return_inverse=True)
    made = np.array([function(int(n)) for n in distinct.tolist()], dtype=float)
    return made[inverse].reshape(counts.shape)


def as_column(number: Any) -> NumberColumn:
    """A number that is the same in all runs, as a column of no dimensions."""
    if isinstance(number, NumberColumn):
        return number
    if type(number) is float:
        return NumberColumn(np.array(number))
    if type(number) not in (int, Fraction):
        raise Unbatched("a number of another kind")
    unit, sign = (abs(Fraction(number)), 1 if number > 0 else -1) if number else (Fraction(1), 0)
    return NumberColumn(None, np.array(sign, dtype=np.int64), unit, True, bound=1, whole=type(number) is int)


def exact_operands(left: NumberColumn, right: NumberColumn) -> tuple[Array, Array, Fraction, int, int]:
    """The counts of two columns in one unit, the unit, and the bounds of the counts."""
    assert left.counts is not None
    assert right.counts is not None
    one, other = left.unit, right.unit
    if one == other:
        return left.counts, right.counts, one, left.bound, right.bound
    below = one.denominator * other.denominator
    unit = Fraction(math.gcd(one.numerator * other.denominator, other.numerator * one.denominator), below)
    first, second = int(one / unit), int(other / unit)
    return (
        _times(left.counts, first, left.bound), _times(right.counts, second, right.bound), unit,
        left.bound * first, right.bound * second,
    )  # fmt: skip


def widened(counts: Array, bound: int) -> Array:
    """The counts as Python's ints where 64 bits may not hold what is computed of them."""
    return counts.astype(object) if bound >= _INT64 and counts.dtype != object else counts


def _times(counts: Array, factor: int, bound: int) -> Array:
    return counts if factor == 1 else cast(Array, widened(counts, bound * factor) * factor)
