"""What differs from run to run, beside numbers: Booleans (plain arrays), mixtures, tuples and lists.

Whatever is none of these is the same in all runs, tuples included.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from alignkit.batching.columns import Array, NumberColumn, as_column
from alignkit.batching.unsupported import Unbatched
from alignkit.interpreting.values import Members

Shape = tuple[int, ...]

_NUMBERS = frozenset((int, float, Fraction))


class Mixture:
    """Values of several kinds: in each run the option that its code names."""

    __slots__ = ("codes", "options")

    def __init__(self, codes: Array, options: tuple[Any, ...]) -> None:
        self.codes, self.options = codes, options


class Items:
    """A tuple of a known length whose items may differ from run to run."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


class ItemTable:
    """A list of numbers, tuples or the like in arrays: ``columns`` has one more axis, for the position.

    ``rows`` says which row of the arrays each run reads; None where each reads its own.
    """

    __slots__ = ("columns", "length", "rows")

    def __init__(self, columns: Any, length: int, rows: Array | None = None) -> None:
        self.columns, self.length, self.rows = columns, length, rows


class Part(NamedTuple):
    """What some of the runs have: their places in the flattened frame, and the value that they have there."""

    at: Array
    value: Any


def varies(value: Any) -> bool:
    """Whether a value may differ from run to run."""
    return isinstance(value, NumberColumn | np.ndarray | Mixture | Items | ItemTable)


def items_of(values: Sequence[Any]) -> Any:
    """A tuple; plain where its items are the same in all runs."""
    return Items(tuple(values)) if any(map(varies, values)) else tuple(values)


def by_arrays(value: Any, select: Callable[[Array], Array]) -> Any:
    """The value of the runs that a function selects from each array."""
    if isinstance(value, NumberColumn):
        return value.map(select)
    if isinstance(value, np.ndarray):
        return select(value)
    if isinstance(value, Items):
        return Items(tuple(by_arrays(v, select) for v in value.values))
    if isinstance(value, Mixture):
        return Mixture(select(value.codes), tuple(by_arrays(v, select) for v in value.options))
    if isinstance(value, ItemTable):
        rows = np.arange(depth(value.columns)) if value.rows is None else value.rows
        return ItemTable(value.columns, value.length, select(rows))
    if isinstance(value, Members) and any(map(varies, value.items)):
        return Members(tuple(by_arrays(v, select) for v in value.items))
    return value


def depth(columns: Any) -> int:
    """The number of rows of a table."""
    for array in arrays(columns):
        return int(array.shape[0])
    raise Unbatched("a list without numbers")


def arrays(value: Any) -> Iterator[Array]:
    """The arrays that a value consists of."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, NumberColumn):
        yield value.floats if value.counts is None else value.counts
    elif isinstance(value, Items):
        for item in value.values:
            yield from arrays(item)
    elif isinstance(value, Mixture):
        yield value.codes
    elif isinstance(value, ItemTable):
        assert value.rows is not None
        yield value.rows


class Places:
    """Some places of a flattened shape, and the entries that arrays have there."""

    def __init__(self, shape: Shape, at: Array) -> None:
        self.shape, self.at = shape, at

    @cached_property
    def _first(self) -> Array:
        return cast(Array, np.arange(self.shape[0]).repeat(self.shape[1])[self.at])

    @cached_property
    def _second(self) -> Array:
        return cast(Array, np.tile(np.arange(self.shape[1]), self.shape[0])[self.at])

    def entries(self, array: Array) -> Array:
        """The entries of an array that broadcasts to the shape."""
        if array.shape == self.shape:
            return array.ravel()[self.at]
        if len(self.shape) == 1 or array.ndim < 2 or array.shape == (1, 1):
            return cast(Array, np.broadcast_to(array, self.shape).ravel()[self.at])
        return cast(Array, array[0][self._second] if array.shape[0] == 1 else array[:, 0][self._first])

    def taken(self, value: Any) -> Any:
        """The value of the runs at the places."""
        return by_arrays(value, self.entries)


def taken(value: Any, shape: Shape, at: Array) -> Any:
    """The value of the runs at some places of the flattened shape."""
    return Places(shape, at).taken(value) if varies(value) or isinstance(value, Members) else value


def merged(shape: Shape, parts: Sequence[Part]) -> Any:
    """One value for all runs of the shape; a run in no part has any value, and nothing may read it."""
    parts = [part for part in parts if len(part.at)]
    values = [part.value for part in parts]
    if not values:
        return None
    if all(same(values[0], v) for v in values[1:]) and not varies(values[0]):
        return values[0]
    if all(map(_is_number, values)):
        return _merged_numbers(shape, parts)
    if all(isinstance(v, bool | np.ndarray) for v in values):
        return _scattered(shape, parts, np.zeros(shape, dtype=bool))
    lengths = {_length(v) for v in values}
    if len(lengths) == 1 and None not in lengths and lengths != {0}:
        columns = [[Part(at, item) for item in _items(v)] for at, v in parts]
        return items_of([merged(shape, column) for column in zip(*columns, strict=True)])
    return _mixed(shape, parts)


def same(one: Any, other: Any) -> bool:
    """Whether two values that are the same in all runs are one value, of one type."""
    if one is other:
        return True
    if type(one) is not type(other) or type(one) not in (*_NUMBERS, bool, tuple) or one != other:
        return False
    return type(one) is not tuple or all(map(same, one, other))


def _is_number(value: Any) -> bool:
    return isinstance(value, NumberColumn) or type(value) in _NUMBERS


def _length(value: Any) -> int | None:
    return len(_items(value)) if isinstance(value, Items | tuple) else None


def _items(value: Any) -> tuple[Any, ...]:
    return value.values if isinstance(value, Items) else cast("tuple[Any, ...]", value)


def _scattered(shape: Shape, parts: Sequence[tuple[Array, Any]], into: Array) -> Array:
    flat = into.reshape(-1)
    for at, value in parts:
        flat[at] = value.ravel() if isinstance(value, np.ndarray) and value.ndim else value
    return flat.reshape(shape)


def _merged_numbers(shape: Shape, parts: Sequence[Part]) -> NumberColumn:
    columns = [(part.at, as_column(part.value)) for part in parts]
    whole = all(c.whole for _, c in columns)
    if all(c.exact is False for _, c in columns):
        return NumberColumn(_scattered(shape, [(at, c.floats) for at, c in columns], np.empty(shape)))
    from_floats = [c for _, c in columns if c.exact is False]
    exact = [(at, c) for at, c in columns if c.exact is not False]
    unit, bound, counts = _in_one_unit([c for _, c in exact])
    placed = list(zip([at for at, _ in exact], counts, strict=True))
    kind = np.int64 if all(c.dtype != object for c in counts) else object
    made = _scattered(shape, placed, np.zeros(shape, dtype=kind))
    if not from_floats and all(c.exact is True for _, c in exact):
        return NumberColumn(None, made, unit, True, bound=bound, whole=whole)
    which = _scattered(shape, [(at, _spread(c.exact, len(at))) for at, c in columns], np.zeros(shape, dtype=bool))
    floats = _scattered(shape, [(at, c.floats) for at, c in columns], np.zeros(shape))
    return NumberColumn(floats, made, unit, which, bound=bound)


def _spread(exact: bool | Array, size: int) -> Array:
    return np.broadcast_to(np.asarray(exact).ravel(), (size,))


def _in_one_unit(columns: list[NumberColumn]) -> tuple[Any, int, list[Array]]:
    below = math.lcm(*(c.unit.denominator for c in columns))
    unit = Fraction(math.gcd(*(int(c.unit * below) for c in columns)), below)
    factors = [int(c.unit / unit) for c in columns]
    bounds = [c.bound * f for c, f in zip(columns, factors, strict=True)]
    wide = max(bounds) >= 2**62
    counts = []
    for c, f in zip(columns, factors, strict=True):
        assert c.counts is not None
        counts.append((c.counts.astype(object) if wide else c.counts) * f)
    return unit, max(bounds), [np.asarray(c) for c in counts]


def _mixed(shape: Shape, parts: Sequence[Part]) -> Mixture:
    """Values of several kinds; equal options get one code."""
    options: list[list[Part]] = []
    codes = np.zeros(shape, dtype=np.int64).reshape(-1)
    for whole in parts:
        for at, value in _single(whole):
            code = next((i for i, option in enumerate(options) if _joins(option[0].value, value)), len(options))
            if code == len(options):
                options.append([])
            options[code].append(Part(at, value))
            codes[at] = code
    if len(options) == 1 and not isinstance(options[0][0].value, ItemTable):
        return cast(Mixture, merged(shape, options[0]))
    spread = tuple(placed(shape, option) for option in options)
    return Mixture(codes.reshape(shape), spread)


def placed(shape: Shape, option: Sequence[Part]) -> Any:
    """The value of a single option, at its places in the shape."""
    if len(option) == 1 and isinstance(option[0].value, ItemTable):
        at, table = option[0]
        rows = np.zeros(shape, dtype=np.int64).reshape(-1)
        rows[at] = np.arange(depth(table.columns)) if table.rows is None else table.rows.ravel()
        return ItemTable(table.columns, table.length, rows.reshape(shape))
    return merged(shape, option)


def _joins(one: Any, other: Any) -> bool:
    """Whether two values may be one option of a mixture."""
    if not varies(one) and not varies(other) and same(one, other):
        return True
    if isinstance(one, ItemTable) or isinstance(other, ItemTable):
        return False
    if _is_number(one) and _is_number(other):
        return True
    if isinstance(one, bool | np.ndarray) and isinstance(other, bool | np.ndarray):
        return True
    length = _length(one)
    return length is not None and length == _length(other)


def _single(part: Part) -> Iterator[Part]:
    if not isinstance(part.value, Mixture):
        yield part
        return
    for at, value in options_of(part.value, (len(part.at),)):
        yield from _single(Part(part.at[at], value))


def options_of(mixture: Mixture, shape: Shape) -> Iterator[Part]:
    """The runs of each option of a mixture, and the option's value for them."""
    codes = np.broadcast_to(mixture.codes, shape).ravel()
    for code, option in enumerate(mixture.options):
        at = np.nonzero(codes == code)[0]
        if len(at):
            yield Part(at, taken(option, shape, at))
