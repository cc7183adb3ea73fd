"""Expressions on frames: what is the same in all runs by the evaluator's own operations, the rest on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from alignkit.batching import comprehensions_of_tables, functions_of_columns
from alignkit.batching.arithmetic_on_columns import compared, computed, negated
from alignkit.batching.batch_values import Items, ItemTable, Mixture, Part, items_of, merged, options_of, taken, varies
from alignkit.batching.columns import NumberColumn
from alignkit.batching.comparisons import compare_values, is_numeric
from alignkit.batching.draws_in_frames import draw_arguments, drawn
from alignkit.batching.frames import Frame
from alignkit.batching.sequences import item_at, sequence, split
from alignkit.batching.unsupported import Unbatched
from alignkit.batching.walks import Walk
from alignkit.errors import Undefined
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import Members
from alignkit.language import program
from alignkit.language.program import Place


def _constant(walker: Walk, node: program.Constant, frame: Frame) -> Any:
    return node.value


def _name(walker: Walk, node: program.Name, frame: Frame) -> Any:
    try:
        return frame.get(node.name)
    except KeyError:
        raise Undefined(f"`{node.name}` has no value here", node.place) from None


def _arithmetic(walker: Walk, node: program.Arithmetic, frame: Frame) -> Any:
    left, right = walker.value(node.left, frame), walker.value(node.right, frame)
    if not isinstance(left, NumberColumn) and not isinstance(right, NumberColumn):
        _plain((left, right))
        return op.arithmetic(node.operator, left, right, node.place, exact=True)
    if node.operator in ("//", "%"):
        raise Unbatched(f"{node.operator} of a number that differs from run to run")
    if node.operator == "/":
        zero = compared("==", right, 0) if isinstance(right, NumberColumn) else np.array(right == 0)
        if zero.any():
            raise walker.undefined("division by zero", node.place, frame, zero)
    for value in (left, right):
        if not isinstance(value, NumberColumn | int | float) and not hasattr(value, "denominator"):
            raise Unbatched("arithmetic on a value of varying kind")
    try:
        return computed(node.operator, left, right)
    except OverflowError:
        raise Undefined("a result is too large for floating point", node.place) from None


def _plain(values: tuple[Any, ...]) -> None:
    if any(map(varies, values)):
        raise Unbatched("an operation on values of varying kind")


def _negate(walker: Walk, node: program.Negate, frame: Frame) -> Any:
    value = walker.value(node.operand, frame)
    if isinstance(value, NumberColumn):
        return negated(value)
    _plain((value,))
    return -value


def _not(walker: Walk, node: program.Not, frame: Frame) -> Any:
    value = walker.condition(node.operand, frame)
    return (not value) if isinstance(value, bool) else ~value


def _connective(walker: Walk, node: program.Connective, frame: Frame) -> Any:
    """``and`` and ``or``: the right side is evaluated in the runs where the left leaves it open."""
    stop = node.operator == "or"
    result = walker.condition(node.operands[0], frame)
    for operand in node.operands[1:]:
        if isinstance(result, bool):
            if result is stop:
                return result
            result = walker.condition(operand, frame)
            continue
        result = np.array(np.broadcast_to(result, frame.shape))
        at = np.nonzero(result.ravel() != stop)[0]
        if len(at):
            result.reshape(-1)[at] = walker.condition(operand, frame.below(at))
    return result


def _compare(walker: Walk, node: program.Compare, frame: Frame) -> Any:
    left, right = walker.value(node.left, frame), walker.value(node.right, frame)
    return compare_values(node.operator, left, right, frame, node.place)


def _choice(walker: Walk, node: program.Choice, frame: Frame) -> Any:
    test = walker.condition(node.test, frame)
    if isinstance(test, bool):
        return walker.value(node.then if test else node.other, frame)
    parts = []
    for at, side in zip(split(test, frame), (node.then, node.other), strict=True):
        if len(at):
            parts.append(Part(at, walker.value(side, frame.below(at))))
    return merged(frame.shape, parts)


def _call(walker: Walk, node: program.Call, frame: Frame) -> Any:
    arguments = [walker.value(a, frame) for a in node.arguments]
    return walker.call(node.function, arguments, node.site, frame)


def _mechanism_call(walker: Walk, node: program.MechanismCall, frame: Frame) -> Any:
    if node.function.is_generator:
        raise Unbatched("the list of what a mechanism yields")
    return _call(walker, node, frame)


def _item(walker: Walk, node: program.Item, frame: Frame) -> Any:
    return item(walker, walker.value(node.sequence, frame), walker.value(node.index, frame), frame, node.place)


def item(walker: Walk, of: Any, index: Any, frame: Frame, place: Place) -> Any:
    """``of[index]``."""
    if isinstance(of, Mixture):
        return merged(frame.shape, [
            Part(at, item(walker, v, taken(index, frame.shape, at), frame.below(at), place))
            for at, v in options_of(of, frame.shape)
        ])  # fmt: skip
    if isinstance(of, tuple | Items):
        values = of.values if isinstance(of, Items) else of
        length = len(values)
    elif isinstance(of, ItemTable):
        length = of.length
    else:
        raise Unbatched("an item of a value of varying kind")
    if isinstance(index, int) and not isinstance(index, bool):
        if not -length <= index < length:
            raise walker.undefined(f"index {index} is out of range for {length} items", place, frame)
        return item_at(of, index, frame) if isinstance(of, ItemTable) else values[index]
    if not isinstance(index, NumberColumn) or not index.whole or index.counts is None:
        raise Unbatched("an index of varying kind")
    at = index.counts.astype(np.int64) * int(index.unit)
    outside = (at < -length) | (at >= length)
    if outside.any():
        raise walker.undefined(f"an index is out of range for {length} items", place, frame, outside)
    if isinstance(of, ItemTable):
        return item_at(of, at, frame)
    at = np.where(at < 0, at + length, at)
    if all(is_numeric(v) and not isinstance(v, NumberColumn) for v in values):
        return NumberColumn.of_values(values, (length,)).map(lambda array: array[at])
    flat = np.broadcast_to(at, frame.shape).ravel()
    places = [(i, np.nonzero(flat == i)[0]) for i in np.unique(flat).tolist()]
    return merged(frame.shape, [Part(p, taken(values[i], frame.shape, p)) for i, p in places])


def _sequence(walker: Walk, node: program.Sequence, frame: Frame) -> Any:
    return items_of([walker.value(x, frame) for x in node.items])


def _joined(walker: Walk, node: program.Joined, frame: Frame) -> Any:
    parts = [walker.value(part, frame) for part in node.parts]
    if any(isinstance(part, Mixture) for part in parts):
        return _joined_by_case(parts, frame)
    return items_of([x for part in parts for x in sequence(part, frame, node.place)])


def _joined_by_case(parts: list[Any], frame: Frame) -> Any:
    """Lists of which one has several lengths, joined for each of them."""
    which = next(i for i, part in enumerate(parts) if isinstance(part, Mixture))
    joined = []
    for at, value in options_of(parts[which], frame.shape):
        below = frame.below(at)
        here = [taken(part, frame.shape, at) for part in parts]
        here[which] = value
        if any(isinstance(part, Mixture) for part in here):
            joined.append(Part(at, _joined_by_case(here, below)))
            continue
        lists = [part.values if isinstance(part, Items) else part for part in here]
        if not all(isinstance(part, tuple) for part in lists):
            raise Unbatched("joined lists of varying kind")
        joined.append(Part(at, items_of([x for part in lists for x in part])))
    return merged(frame.shape, joined)


def _index_set(walker: Walk, node: program.IndexSet, frame: Frame) -> Any:
    return Members(tuple(walker.value(x, frame) for x in node.items))


def _draw(walker: Walk, node: program.Draw, frame: Frame) -> Any:
    return drawn(walker, node, draw_arguments(walker, node, frame), frame)


EXPRESSIONS: dict[type, Callable[[Any, Any, Frame], Any]] = {
    program.Constant: _constant,
    program.Name: _name,
    program.Arithmetic: _arithmetic,
    program.Negate: _negate,
    program.Not: _not,
    program.Connective: _connective,
    program.Compare: _compare,
    program.Choice: _choice,
    program.Builtin: functions_of_columns.function_value,
    program.Call: _call,
    program.MechanismCall: _mechanism_call,
    program.Item: _item,
    program.Sequence: _sequence,
    program.Joined: _joined,
    program.IndexSet: _index_set,
    program.Comprehension: comprehensions_of_tables.comprehension_of_runs,
    program.Draw: _draw,
}
