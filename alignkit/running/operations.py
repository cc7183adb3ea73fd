"""The operations of the language on values, concrete or symbolic.

Each gives what Python gives on plain numbers; on symbolic ones it builds the term or condition.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from alignkit.language import functions
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.running.values import Members, is_concrete, is_condition, is_number

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def compare(symbol: str, left: Any, right: Any, place: Place) -> Any:
    """``left symbol right``: a bool, or a condition where either side is symbolic."""
    if symbol in ("is", "is not"):
        same = _same_tag(left, right, place)
        return same if symbol == "is" else negation(same)
    if symbol in ("in", "not in"):
        found = _member(left, right, place)
        return found if symbol == "in" else negation(found)
    if is_number(left) and is_number(right):
        if is_concrete(left):
            if is_concrete(right):
                return _COMPARE[symbol](left, right)
            flipped = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(symbol, symbol)
            return right.compare(flipped, left)
        return left.compare(symbol, right)
    if symbol in ("==", "!="):
        same = equal(left, right, place)
        return same if symbol == "==" else negation(same)
    raise place.error(
        f"`{symbol}` compares {kind(left)} with {kind(right)}", "compare numbers with numbers, tags with `is`"
    )


def equal(left: Any, right: Any, place: Place) -> Any:
    """Whether two values are equal: numbers by value, tags by identity, tuples part by part."""
    if is_number(left) and is_number(right):
        return compare("==", left, right, place)
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            return False
        return conjunction([equal(a, b, place) for a, b in zip(left, right, strict=True)])
    if is_condition(left) and is_condition(right):
        return (left & right) | (negation(left) & negation(right))
    if isinstance(left, Tag) or isinstance(right, Tag):
        return _same_tag(left, right, place)
    raise place.error(f"`==` compares {kind(left)} with {kind(right)}", "compare values of one kind")


def _same_tag(left: Any, right: Any, place: Place) -> Any:
    if not isinstance(right, Tag):
        left, right = right, left
    if not isinstance(right, Tag):
        raise place.error("`is` compares with something that is not a tag", "use == for numbers")
    ask = getattr(left, "is_tag", None)
    return ask(right) if ask is not None else left is right


def _member(value: Any, of: Any, place: Place) -> Any:
    items = of.items if isinstance(of, Members) else of
    if not isinstance(items, tuple):
        raise place.error(f"`in` looks into {kind(of)}", "use a tuple or a set of indices")
    return disjunction([equal(value, item, place) for item in items])


def arithmetic(symbol: str, left: Any, right: Any, place: Place, *, exact: bool) -> Any:
    """``left symbol right`` for + - * and /; a division is by something already known not to be 0."""
    if isinstance(left, Members) or isinstance(right, Members):
        raise place.error(f"`{symbol}` on a set of indices", "build the set with a comprehension")
    if not (is_number(left) and is_number(right)):
        raise place.error(f"`{symbol}` between {kind(left)} and {kind(right)}", "compute with numbers only")
    if symbol == "+":
        return left + right
    if symbol == "-":
        return left - right
    if symbol == "*":
        return left * right
    if exact and isinstance(left, int) and isinstance(right, int):
        return Fraction(left, right)
    return left / right




def negation(condition: Any) -> Any:
    """``not condition``."""
    return (not condition) if isinstance(condition, bool) else ~condition


def conjunction(conditions: list[Any]) -> Any:
    """All of the conditions."""
    result: Any = True
    for condition in conditions:
        result = result & condition
    return result


def disjunction(conditions: list[Any]) -> Any:
    """One of the conditions at least."""
    result: Any = False
    for condition in conditions:
        result = result | condition
    return result


def choose(condition: Any, then: Any, other: Any) -> Any:
    """``then if condition else other`` for numbers, or for conditions."""
    if isinstance(condition, bool):
        return then if condition else other
    if is_condition(then) and is_condition(other):
        return (condition & then) | (~condition & other)
    return condition.choose(then, other)


def maximum(values: list[Any], place: Place) -> Any:
    """The largest of the numbers."""
    best = values[0]
    for value in values[1:]:
        best = choose(compare(">", value, best, place), value, best)
    return best


def minimum(values: list[Any], place: Place) -> Any:
    """The smallest of the numbers."""
    best = values[0]
    for value in values[1:]:
        best = choose(compare("<", value, best, place), value, best)
    return best


def absolute(value: Any) -> Any:
    """The absolute value."""
    return abs(value)


def clamped(value: Any, low: Any, high: Any, place: Place) -> Any:
    """The nearest number of [low, high]."""
    above = choose(compare(">", value, high, place), high, value)
    return choose(compare("<", value, low, place), low, above)


def root(value: Any) -> Any:
    """The square root of a public number."""
    return functions.sqrt(value) if is_concrete(value) else value.sqrt()


def exponential(value: Any) -> Any:
    """e to a public power."""
    return functions.exp(value) if is_concrete(value) else value.exp()


def kind(value: Any) -> str:
    """A value's kind in words, for messages."""
    if is_number(value):
        return "a number"
    if is_condition(value):
        return "a Boolean"
    if isinstance(value, Tag):
        return f"the tag {value}"
    if isinstance(value, Members):
        return "a set of indices"
    if value is None:
        return "nothing"
    return "a sequence"
