"""The built-in functions of the language, on concrete and symbolic arguments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from alignkit.errors import TooLarge, Undefined, Unsupported
from alignkit.interpreting import comprehensions
from alignkit.interpreting import operations as op
from alignkit.interpreting.values import UNREACHED, Family, FilteredList, Members, is_concrete, is_condition, is_number
from alignkit.language.functions import LARGEST_EXPONENT, MOST_POINTS, largest, lattice_points, power
from alignkit.language.program import Builtin, Comprehension
from alignkit.language.tags import Tag
from alignkit.noise import Bits

if TYPE_CHECKING:
    from alignkit.interpreting.evaluator import Evaluator
    from alignkit.interpreting.values import Environment


def builtin_value(evaluator: Evaluator, node: Builtin, names: Environment) -> Any:
    """The value of a call of a built-in function."""
    argument = node.arguments[0]
    try:
        if node.function in ("any", "all") and isinstance(argument, Comprehension) and argument.form == "generator":
            return _quantified(evaluator, node, argument, names)
        return _FUNCTIONS[node.function](evaluator, node, [evaluator.value(a, names) for a in node.arguments])
    except OverflowError:
        raise Undefined("a result is too large for floating point", node.place) from None
    except TooLarge as problem:
        raise problem.at(node.place) from None


def _absolute(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _check_numbers(values, node)
    return abs(values[0])


def _clamp(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _check_numbers(values, node)
    in_order = op.compare("<=", values[1], values[2], node.place)
    evaluator.context.require(in_order, node.place, "clamp needs low <= high")
    return op.clamped(*values)


# The relation to 0 in which the argument of a function must stand, and what to say where it does not.
_DOMAINS = {
    "sqrt": (">=", "the argument of sqrt must be at least 0"),
    "log": (">", "the argument of log must be above 0"),
}


def _special(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    """sqrt, exp, exp2 and log."""
    _check_numbers(values, node)
    if node.function in _DOMAINS:
        relation, words = _DOMAINS[node.function]
        inside = op.compare(relation, values[0], 0, node.place)
        if not evaluator.context.demand(inside, node.place, words):
            return UNREACHED
    return evaluator.context.special(node.function, values[0])


def _round(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    """The nearest whole number, of two the even one; or by floor and ceil the nearest below and above."""
    _check_numbers(values, node)
    value = values[0]
    if isinstance(value, Bits):
        raise Undefined(f"{node.function} of a base-2 privacy parameter", node.place)
    if type(value) is float and node.function != "round" and math.isfinite(value):
        evaluator.context.close |= op.nearly_equal(value, round(value))
    return evaluator.context.special(node.function, value)


def _points(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _check_numbers(values, node)
    low, high, spacing = (evaluator.context.number(v) for v in values)
    if not all(is_concrete(v) for v in (low, high, spacing)):
        raise evaluator.context.unsupported("lattice_points of numbers that are not known", node.place)
    if any(isinstance(v, Bits) for v in (low, high, spacing)):
        raise Undefined("lattice_points of a base-2 privacy parameter", node.place)
    if not spacing > 0 or (high - low) / spacing > MOST_POINTS:
        raise Undefined(f"lattice_points needs a spacing above 0 and at most {MOST_POINTS} points", node.place)
    return lattice_points(low, high, spacing)


_UNKNOWN_POWER = "power of a number that is not known"


def _power(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _check_numbers(values, node)
    value, exponent = values[0], evaluator.context.number(values[1])
    if not is_concrete(exponent):
        raise Unsupported(_UNKNOWN_POWER)
    if isinstance(value, Bits) or isinstance(exponent, Bits):
        raise Undefined("power of a base-2 privacy parameter", node.place)
    if exponent != int(exponent) or abs(exponent) > LARGEST_EXPONENT:
        raise Undefined(f"power takes a whole exponent up to {LARGEST_EXPONENT}", node.place)
    if exponent < 0:
        nonzero = op.compare("!=", value, 0, node.place)
        if not evaluator.context.demand(nonzero, node.place, "power of 0 with an exponent below 0"):
            return UNREACHED
    if is_concrete(value):
        return power(value, exponent)
    if not hasattr(value, "power"):
        raise Unsupported(_UNKNOWN_POWER)
    return value.power(int(exponent))


def _reduce(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    """max, min, sum, any and all: of one sequence, or max and min of several numbers."""
    whole = values[0] if len(values) == 1 else tuple(values)
    items = whole.family if isinstance(whole, FilteredList) else _sequence(whole, node)
    if isinstance(items, Family):
        return evaluator.context.reduce(node.function, items, node, (evaluator.path, evaluator.iteration))
    if node.function in ("any", "all"):
        for item in items:
            if not is_condition(item):
                problem = f"{node.function} of {op.kind(item)}"
                raise op.misfit((item,), node.place, problem, "write the comparison out", fatal=())
        return op.any_of(items) if node.function == "any" else op.all_of(items)
    _check_numbers(items, node)
    if node.function == "sum":
        return op.no_nan(sum(items), node.place)
    if not items:
        raise Undefined(f"{node.function} of an empty sequence", node.place)
    return op.maximum(items) if node.function == "max" else op.minimum(items)


def _quantified(evaluator: Evaluator, node: Builtin, over: Comprehension, names: Environment) -> Any:
    """any and all of a generator, which stop at the first element that decides them, as Python's do."""
    items = evaluator.iterable(over.iterable, names)
    if isinstance(items, Family):
        return _reduce(evaluator, node, [comprehensions.family(evaluator, over, items, names)])
    stop = node.function == "any"
    result: Any = not stop
    outer = evaluator.iteration
    try:
        for index, item in enumerate(items):
            inner = dict(names)
            evaluator.bind(over.target, item, inner, node.place)
            evaluator.iteration = (*outer, index)
            with evaluator.context.under(op.negation(result) if stop else result):
                passed = comprehensions.admitted(evaluator, over, inner)
                if passed is False:
                    continue
                with evaluator.context.under(passed):
                    value = evaluator.condition(over.element, inner)
            result = (result | (passed & value)) if stop else (result & (op.negation(passed) | value))
            if result is stop:
                break
    finally:
        evaluator.iteration = outer
    return result


def _length(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    value = values[0]
    if isinstance(value, tuple):
        return len(value)
    if isinstance(value, Family) and value.admits is None:
        return value.length
    if isinstance(value, Members):
        if all(is_concrete(i) for i in value.items):
            return len(set(value.items))
        raise evaluator.context.unsupported("len of a set of symbolic indices", node.place)
    if isinstance(value, FilteredList):  # as many items as the filters let pass
        ones = Family(value.family.length, lambda index: 1, value.family.admits)
        return evaluator.context.reduce("sum", ones, node, (evaluator.path, evaluator.iteration))
    return evaluator.context.length(value, node)


def _range(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    numbers = _counted(evaluator, node, values)
    return tuple(op.listable(numbers, node.place)) if isinstance(numbers, range) else numbers


def numbers_of_range(evaluator: Evaluator, node: Builtin, names: Environment) -> Any:
    """What ``range(…)`` counts through: a range that lists nothing, or a family of symbolic length."""
    return _counted(evaluator, node, [evaluator.value(a, names) for a in node.arguments])


def _counted(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    _check_numbers(values, node)
    start, stop = (0, values[0]) if len(values) == 1 else values
    if isinstance(start, int) and isinstance(stop, int):
        return evaluator.context.counted(range(start, stop), node.place)
    if is_concrete(start) and is_concrete(stop):
        raise node.place.error("range of a number that is not whole", "give range whole numbers")
    return evaluator.context.range(start, stop, node)


def _enumerate(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    sequence = _sequence(values[0], node)
    if isinstance(sequence, Family):
        return Family(sequence.length, lambda i: (i, sequence.element(i)), sequence.admits)
    return tuple(enumerate(sequence))


def _zip(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    sequences = [_sequence(v, node) for v in values]
    families = [v for v in sequences if isinstance(v, Family)]
    if not families:
        return tuple(zip(*sequences, strict=False))
    if len(families) != len(sequences) or any(v.admits is not None for v in families):
        raise evaluator.context.unsupported("zip of sequences of different kinds", node.place)
    lengths = [v.length for v in families]
    same = all(length == lengths[0] for length in lengths)
    shortest = lengths[0] if same else op.minimum(lengths)
    return Family(shortest, lambda i: tuple(v.element(i) for v in families))


def _largest(evaluator: Evaluator, node: Builtin, values: list[Any]) -> Any:
    sequence, k = _sequence(values[0], node), values[1]
    _check_numbers([k], node)
    if isinstance(k, int) and k < 1:
        raise Undefined(f"largest(values, {k}) needs a k of at least 1", node.place)
    if isinstance(sequence, Family) or not isinstance(k, int):
        return evaluator.context.largest(sequence, k, node)
    _check_numbers(sequence, node)
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


def _check_numbers(values: Iterable[Any], node: Builtin) -> None:
    for value in values:
        if not is_number(value):
            problem = f"{node.function} of {op.kind(value)}"
            fatal = (Tag,) if node.function == "sum" else ()  # Python gives back the largest of a single thing
            raise op.misfit((value,), node.place, problem, "give it numbers", fatal=fatal)


_FUNCTIONS: dict[str, Callable[[Evaluator, Builtin, list[Any]], Any]] = {
    **dict.fromkeys(("max", "min", "sum", "any", "all"), _reduce),
    **dict.fromkeys(("sqrt", "exp", "exp2", "log"), _special),
    "abs": _absolute,
    "clamp": _clamp,
    **dict.fromkeys(("round", "floor", "ceil"), _round),
    "power": _power,
    "len": _length,
    "lattice_points": _points,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "largest": _largest,
}
