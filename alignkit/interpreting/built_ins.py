"""The built-in functions of the language, on concrete and symbolic arguments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from alignkit.errors import Undefined
from alignkit.interpreting import comprehensions
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import UNREACHED, Family, Members, is_concrete, is_condition, is_number
from alignkit.language.functions import LARGEST_EXPONENT, MOST_POINTS, largest, lattice_points
from alignkit.language.program import Builtin, Comprehension
from alignkit.language.tags import Tag
from alignkit.noise import Bits

if TYPE_CHECKING:
    from alignkit.interpreting.evaluator import Evaluator
    from alignkit.interpreting.values import Environment


def apply(evaluator: Evaluator, node: Builtin, names: Environment) -> Any:
    """The value of a call of a built-in function."""
    try:
        return _apply(evaluator, node, names)
    except OverflowError:
        raise Undefined("a result is too large for floating point", node.place) from None


def _apply(evaluator: Evaluator, node: Builtin, names: Environment) -> Any:
    function, arguments = node.function, node.arguments
    over = arguments[0]
    if function in ("any", "all") and isinstance(over, Comprehension) and over.form == "generator":
        return _quantified(evaluator, node, over, names)
    values = [evaluator.value(a, names) for a in arguments]
    if function in ("max", "min", "sum", "any", "all") and len(values) == 1:
        return _reduce(evaluator, node, values[0])
    if function in ("max", "min"):
        _numbers(values, node)
        return (op.maximum if function == "max" else op.minimum)(values, node.place)
    if function in ("abs", "clamp", "sqrt", "exp", "exp2", "power", "log"):
        return _scalar(evaluator, node, values)
    if function == "len":
        return _length(evaluator, node, values[0])
    if function == "lattice_points":
        return _points(evaluator, node, values)
    if function == "range":
        return _range(evaluator, node, values)
    if function == "enumerate":
        return _enumerate(_sequence(values[0], node))
    if function == "zip":
        return _zip(evaluator, node, [_sequence(v, node) for v in values])
    return _largest(evaluator, node, _sequence(values[0], node), values[1])


def _scalar(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _numbers(values, node)
    if node.function == "abs":
        return op.absolute(values[0])
    if node.function == "clamp":
        in_order = op.compare("<=", values[1], values[2], node.place)
        evaluator.context.require(in_order, node.place, "clamp needs low <= high")
        return op.clamped(values[0], values[1], values[2], node.place)
    if node.function == "power":
        return _power(evaluator, node, values)
    if node.function == "sqrt":
        positive = op.compare(">=", values[0], 0, node.place)
        if not evaluator.context.demand(positive, node.place, "the argument of sqrt must be at least 0"):
            return UNREACHED
    if node.function == "log":
        positive = op.compare(">", values[0], 0, node.place)
        if not evaluator.context.demand(positive, node.place, "the argument of log must be above 0"):
            return UNREACHED
    return evaluator.context.special(node.function, values[0])


def _points(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _numbers(values, node)
    low, high, spacing = (evaluator.context.number(v) for v in values)
    if not all(is_concrete(v) for v in (low, high, spacing)):
        raise evaluator.context.unsupported("lattice_points of numbers that are not known", node.place)
    if any(isinstance(v, Bits) for v in (low, high, spacing)):
        raise Undefined("lattice_points of a base-2 privacy parameter", node.place)
    if not spacing > 0 or (high - low) / spacing > MOST_POINTS:
        raise Undefined(f"lattice_points needs a spacing above 0 and at most {MOST_POINTS} points", node.place)
    return lattice_points(low, high, spacing)


def _power(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    value, exponent = values[0], evaluator.context.number(values[1])
    if is_concrete(exponent):
        if isinstance(value, Bits) or isinstance(exponent, Bits):
            raise Undefined("power of a base-2 privacy parameter", node.place)
        if exponent != int(exponent) or abs(exponent) > LARGEST_EXPONENT:
            raise Undefined(f"power takes a whole exponent up to {LARGEST_EXPONENT}", node.place)
        if exponent < 0:
            nonzero = op.compare("!=", value, 0, node.place)
            if not evaluator.context.demand(nonzero, node.place, "power of 0 with an exponent below 0"):
                return UNREACHED
    return op.to_power(value, exponent)


def _reduce(evaluator: Evaluator, node: Builtin, value: Any) -> Any:
    sequence = _sequence(value, node)
    if isinstance(sequence, Family):
        return evaluator.context.reduce(node.function, sequence, node)
    items = list(sequence)
    if node.function in ("any", "all"):
        for item in items:
            if not is_condition(item):
                problem = f"{node.function} of {op.kind(item)}"
                raise op.misfit((item,), node.place, problem, "write the comparison out", fatal=())
        return op.any_of(items) if node.function == "any" else op.all_of(items)
    _numbers(items, node)
    if node.function == "sum":
        if all(is_concrete(item) for item in items):
            return sum(items)
        total: Any = 0
        for item in items:
            total = total + item
        return total
    if not items:
        raise Undefined(f"{node.function} of an empty sequence", node.place)
    return (op.maximum if node.function == "max" else op.minimum)(items, node.place)


def _quantified(evaluator: Evaluator, node: Builtin, over: Comprehension, names: Environment) -> Any:
    """any and all stop at the first element that settles them, as Python's do."""
    items = evaluator.iterable(over.iterable, names)
    if isinstance(items, Family):
        return evaluator.context.reduce(node.function, comprehensions.family(evaluator, over, items, names), node)
    stop = node.function == "any"
    result: Any = not stop
    for index, item in enumerate(items):
        inner = dict(names)
        evaluator.bind(over.target, item, inner, node.place)
        with evaluator.at(index), evaluator.context.under(op.negation(result) if stop else result):
            passed = comprehensions.admitted(evaluator, over, inner)
            if passed is False:
                continue
            with evaluator.context.under(passed):
                value = evaluator.condition(over.element, inner)
        result = (result | (passed & value)) if stop else (result & (op.negation(passed) | value))
        if result is stop:
            return result
    return result


def _length(evaluator: Evaluator, node: Builtin, value: Any) -> Any:
    if isinstance(value, tuple):
        return len(value)
    if isinstance(value, Family) and value.admits is None:
        return value.length
    if isinstance(value, Members):
        if all(is_concrete(i) for i in value.items):
            return len(set(value.items))
        raise evaluator.context.unsupported("len of a set of symbolic indices", node.place)
    return evaluator.context.length(value, node)


def _range(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _numbers(values, node)
    start, stop = (0, values[0]) if len(values) == 1 else values
    if isinstance(start, int) and isinstance(stop, int):
        return tuple(range(start, stop))
    if is_concrete(start) and is_concrete(stop):
        raise node.place.error("range of a number that is not whole", "give range whole numbers")
    return evaluator.context.range(start, stop, node)


def _enumerate(value: Any) -> Any:
    if isinstance(value, Family):
        return Family(value.length, lambda i: (i, value.element(i)), value.admits)
    return tuple(enumerate(value))


def _zip(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    families = [v for v in values if isinstance(v, Family)]
    if not families:
        return tuple(zip(*values, strict=False))
    if len(families) != len(values) or any(v.admits is not None for v in families):
        raise evaluator.context.unsupported("zip of sequences of different kinds", node.place)
    lengths = [v.length for v in families]
    same = all(length == lengths[0] for length in lengths)
    shortest = lengths[0] if same else op.minimum(lengths, node.place)
    return Family(shortest, lambda i: tuple(v.element(i) for v in families))


def _largest(evaluator: Evaluator, node: Builtin, sequence: Any, k: Any) -> Any:
    _numbers([k], node)
    if isinstance(k, int) and k < 1:
        raise Undefined(f"largest(values, {k}) needs a k of at least 1", node.place)
    if isinstance(sequence, Family) or not isinstance(k, int):
        return evaluator.context.largest(sequence, k, node)
    _numbers(list(sequence), node)
    if k > len(sequence):
        raise Undefined(
            f"largest(values, {k}) needs at least {k} values, and there are {len(sequence)}", node.place
        )
    if all(is_concrete(x) for x in sequence):
        if any(type(x) is float for x in sequence):
            ordered = sorted(sequence)
            evaluator.context.close |= any(op.nearly_equal(a, b) for a, b in pairwise(ordered))
        return largest(sequence, k)
    return evaluator.context.largest(sequence, k, node)


def _sequence(value: Any, node: Builtin) -> Any:
    if not isinstance(value, tuple | Family):
        problem = f"{node.function} of {op.kind(value)}"
        raise op.misfit((value,), node.place, problem, "give it a list or a query vector")
    return value


def _numbers(values: list[Any], node: Builtin) -> None:
    for value in values:
        if not is_number(value):
            problem = f"{node.function} of {op.kind(value)}"
            fatal = (Tag,) if node.function == "sum" else ()  # Python gives back the largest of a single thing
            raise op.misfit((value,), node.place, problem, "give it numbers", fatal=fatal)
