"""The built-in functions of the language; of what differs from run to run, on arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from alignkit.batching.arithmetic_on_columns import absolute, compared, elementwise
from alignkit.batching.batch_values import Items, ItemTable, Mixture, Part, by_arrays, items_of, merged, taken, varies
from alignkit.batching.columns import NumberColumn
from alignkit.batching.comprehensions_of_tables import in_arrays
from alignkit.batching.frames import Frame
from alignkit.batching.largest_in_tables import largest_positions
from alignkit.batching.sequences import sequence, split
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walks import Walk
from alignkit.errors import Undefined
from alignkit.interpreting import operations as op
from alignkit.interpreting.context import MOST_COUNTED
from alignkit.interpreting.values import Members
from alignkit.language import functions
from alignkit.language.program import Builtin, Comprehension


def function_value(walker: Walk, node: Builtin, frame: Frame) -> Any:
    """The value of a call of a built-in function."""
    name, first = node.function, node.arguments[0]
    if name in ("any", "all") and isinstance(first, Comprehension) and first.form == "generator":
        return _quantified(walker, node, first, frame)
    values = [walker.value(a, frame) for a in node.arguments]
    if any(isinstance(v, Mixture) for v in values):
        raise Unbatched(f"{name} of a value of varying kind")
    try:
        if any(map(varies, values)) or (name == "len" and isinstance(values[0], Members)):
            return _VARYING[name](walker, node, frame, *values)
        return _PLAIN[name](*values)
    except OverflowError:
        raise Undefined("a result is too large for floating point", node.place) from None


def _quantified(walker: Walk, node: Builtin, over: Comprehension, frame: Frame) -> Any:
    """any and all of a generator, which stop in each run at the first element that decides them."""
    stop = node.function == "any"
    result = np.full(frame.size, not stop)
    open_ = np.arange(frame.size)
    items = sequence(walker.value(over.iterable, frame), frame, node.place)
    everywhere = frame.scope()
    for item in items:
        if not len(open_):
            break
        everywhere.local = {}
        walker.bind(over.target, item, everywhere, everywhere.local, node.place)
        places = open_
        for test in over.filters:
            passed = walker.condition(test, everywhere.below(places))
            places = places[np.broadcast_to(passed, places.shape)]
        if not len(places):
            continue
        decided = walker.condition(over.element, everywhere.below(places))
        at = places[np.broadcast_to(decided, places.shape) == stop]
        result[at] = stop
        open_ = open_[result[open_] != stop]
    return result.reshape(frame.shape)


def _absolute(walker: Walk, node: Builtin, frame: Frame, value: NumberColumn) -> NumberColumn:
    return absolute(_number(value))


def _number(value: Any) -> Any:
    if not isinstance(value, NumberColumn) and (varies(value) or isinstance(value, bool)):
        raise Unbatched("a function of a value of varying kind")
    return value


def _clamp(walker: Walk, node: Builtin, frame: Frame, value: Any, low: Any, high: Any) -> Any:
    bounds = [_number(x) for x in (value, low, high)]
    wrong = _compared(">", low, high)
    if np.any(wrong):
        raise walker.undefined("clamp needs low <= high", node.place, frame, np.asarray(wrong))
    if all(isinstance(x, float) or (isinstance(x, NumberColumn) and x.exact is False) for x in bounds):
        v, a, b = (x.floats if isinstance(x, NumberColumn) else x for x in bounds)
        return NumberColumn(np.where(v < a, a, np.where(v > b, b, v)))
    under, over = _compared("<", value, low), _compared(">", value, high)
    return _picked(frame, [(under, low), (over & ~np.asarray(under), high)], value)


def _compared(symbol: str, left: Any, right: Any) -> Any:
    if isinstance(left, NumberColumn) or isinstance(right, NumberColumn):
        return compared(symbol, left, right)
    return np.asarray({"<": left < right, ">": left > right}[symbol])


def _picked(frame: Frame, options: Sequence[tuple[Any, Any]], other: Any) -> Any:
    """The value of the first option whose condition holds."""
    rest = np.arange(frame.size)
    parts = []
    for condition, value in options:
        yes, _ = split(np.asarray(condition), frame)
        here = yes[np.isin(yes, rest)]
        parts.append(Part(here, taken(value, frame.shape, here)))
        rest = np.setdiff1d(rest, here, assume_unique=True)
    parts.append(Part(rest, taken(other, frame.shape, rest)))
    return merged(frame.shape, parts)


def _elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    def compute(walker: Walk, node: Builtin, frame: Frame, *values: Any) -> NumberColumn:
        return elementwise(function, *map(_number, values))

    return compute


def _reduced(walker: Walk, node: Builtin, frame: Frame, *values: Any) -> Any:
    """max, min, sum, any and all."""
    items = values[0] if len(values) == 1 else items_of(values)
    if isinstance(items, ItemTable) and isinstance(items.columns, NumberColumn) and items.columns.exact is False:
        return _of_floats(node.function, items)
    listed = sequence(items, frame, node.place)
    if node.function in ("any", "all"):
        result = listed[0]
        for item in listed[1:]:
            result = (result | item) if node.function == "any" else (result & item)
        return result
    if node.function == "sum":
        return elementwise(lambda *xs: sum(xs), *map(_number, listed))
    best = _number(listed[0])
    for item in listed[1:]:
        further = _compared(">" if node.function == "max" else "<", _number(item), best)
        best = _picked(frame, [(further, item)], best)
    return best


def _of_floats(function: str, table: ItemTable) -> NumberColumn:
    """A function of lists of floats, row by row; only the first of equal numbers counts."""
    floats = np.asarray(table.columns.floats)
    if function == "sum":
        made = np.array([sum(row) for row in floats.tolist()], dtype=float)
    else:
        best = floats.argmax(axis=1) if function == "max" else floats.argmin(axis=1)
        made = floats[np.arange(len(floats)), best]
    return NumberColumn(made if table.rows is None else made[table.rows])


def _length(walker: Walk, node: Builtin, frame: Frame, value: Any) -> Any:
    if isinstance(value, Members):
        if any(map(varies, value.items)):
            raise Unbatched("len of a set that differs from run to run")
        return len(set(value.items))
    return value.length if isinstance(value, ItemTable) else len(value.values)


def _zip(walker: Walk, node: Builtin, frame: Frame, *values: Any) -> Any:
    if not any(isinstance(v, ItemTable) for v in values):
        lists = [sequence(v, frame, node.place) for v in values]
        return items_of([items_of(x) for x in zip(*lists, strict=False)])
    return _side_by_side(values, frame, node)


def _side_by_side(values: Sequence[Any], frame: Frame, node: Builtin) -> Any:
    """Lists as one table of tuples."""
    base = frame.flat()
    length = min(v.length if isinstance(v, ItemTable) else len(sequence(v, frame, node.place)) for v in values)
    columns = []
    for value in values:
        column = in_arrays(value, base)
        if column is None or not length:
            lists = [sequence(v, frame, node.place) for v in values]
            return items_of([items_of(x) for x in zip(*lists, strict=False)])
        columns.append(by_arrays(column, lambda a: np.broadcast_to(a[:, :length], (base.size, length))))
    rows = None if len(frame.shape) == 1 else np.arange(frame.size).reshape(frame.shape)
    return ItemTable(Items(tuple(columns)), length, rows)


def _enumerate(walker: Walk, node: Builtin, frame: Frame, value: Any) -> Any:
    if isinstance(value, ItemTable):
        return _side_by_side((tuple(range(value.length)), value), frame, node)
    return items_of([items_of(x) for x in enumerate(sequence(value, frame, node.place))])


def _largest(walker: Walk, node: Builtin, frame: Frame, values: Any, k: Any) -> Any:
    if not isinstance(k, int):
        raise Unbatched("largest(values, k) with a k that differs from run to run")
    table = isinstance(values, ItemTable)
    return largest_positions(values if table else sequence(values, frame, node.place), k, frame)


def _refused(walker: Walk, node: Builtin, frame: Frame, *values: Any) -> Any:
    raise Unbatched(f"{node.function} of a number that differs from run to run")


def _listed_range(*ends: int) -> tuple[int, ...]:
    """The numbers of a range; very many are left to runs one by one, which count through them and list nothing."""
    numbers = range(*ends)
    if op.count(numbers) > MOST_COUNTED:
        raise Unbatched(f"a range of {op.count(numbers)} numbers")
    return tuple(numbers)


_PLAIN: dict[str, Callable[..., Any]] = {
    "abs": abs,
    "max": max,
    "min": min,
    "sum": sum,
    "any": any,
    "all": all,
    "len": len,
    "sqrt": functions.sqrt,
    "exp": functions.exp,
    "exp2": functions.exp2,
    "log": functions.log,
    "power": functions.power,
    "round": round,
    "clamp": functions.clamp,
    "lattice_points": functions.lattice_points,
    "range": _listed_range,
    "enumerate": lambda values: tuple(enumerate(values)),
    "zip": lambda *lists: tuple(zip(*lists, strict=False)),
    "largest": functions.largest,
}

_VARYING: dict[str, Callable[..., Any]] = {
    **dict.fromkeys(("max", "min", "sum", "any", "all"), _reduced),
    **{name: _elementwise(_PLAIN[name]) for name in ("sqrt", "exp", "exp2", "log", "power", "round")},
    **dict.fromkeys(("range", "lattice_points"), _refused),
    "abs": _absolute,
    "clamp": _clamp,
    "len": _length,
    "enumerate": _enumerate,
    "zip": _zip,
    "largest": _largest,
}
