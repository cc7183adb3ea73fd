"""The operations of the language on values, concrete or symbolic.

Each gives what Python gives on plain numbers; on symbolic ones it builds the term or condition.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError, InputError, Undefined, Unsupported
from alignkit.interpreting.values import PLAIN, FilteredList, Members, is_concrete, is_condition, is_number
from alignkit.language import functions
from alignkit.language.program import Place
from alignkit.language.tags import Tag
from alignkit.noise import Bits

COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}

READS_FILTERED = "a filtered list of symbolic length is read, of which sums, counts and lists can be made, and no more"

_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {"is not": "is", "not in": "in"}

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}

# What divides by its right side, which must not be 0.
DIVISIONS = frozenset({"/", "//", "%"})


def compare(symbol: str, left: Any, right: Any, place: Place) -> Any:
    """``left symbol right``: a bool, or a condition where either side is symbolic."""
    if type(left) in PLAIN and type(right) in PLAIN and symbol in COMPARE:
        return COMPARE[symbol](left, right)
    if symbol in _NEGATED:
        return negation(compare(_NEGATED[symbol], left, right, place))
    if symbol == "is":
        return _identical(left, right, place)
    if symbol == "in":
        return _member(left, right, place)
    if is_number(left) and is_number(right):
        return compare_numbers(symbol, left, right)
    if symbol in ("==", "!="):
        if isinstance(left, tuple) and isinstance(right, tuple):
            raise place.error("`==` compares two sequences", "compare the items one by one")
        same = equal(left, right, place)
        return same if symbol == "==" else negation(same)
    raise misfit(
        (left, right),
        place,
        f"`{symbol}` compares {kind(left)} with {kind(right)}",
        "compare numbers with numbers, tags with `is`",
        fatal=(Tag, tuple) if is_number(left) or is_number(right) else (Tag,),
    )


def compare_numbers(symbol: str, left: Any, right: Any) -> Any:
    """``left symbol right`` for two numbers, concrete or symbolic, and a symbol of order or equality."""
    # What may be no number at all, such as the output of another iteration, knows what that means.
    if not is_concrete(left) and not (hasattr(right, "is_tag") and not hasattr(left, "is_tag")):
        return left.compare(symbol, right)
    if is_concrete(right):
        return COMPARE[symbol](left, right)
    return right.compare(_FLIPPED.get(symbol, symbol), left)


def misfit(
    values: tuple[Any, ...], place: Place, problem: str, hint: str, *, fatal: tuple[type, ...] = (Tag,)
) -> AlignkitError:
    """The error where an operation does not fit its operands.

    The run is undefined where an operand is missing (noise that was not drawn, a call that returned nothing), and
    where one is of a type that is ``fatal`` here, because Python fails on it as well. Otherwise the program is at
    fault: Python takes a tag as a condition, for example, and the language does not.
    """
    if any(isinstance(value, FilteredList) for value in values):
        return Unsupported(READS_FILTERED, place)
    if any(value is None for value in values):
        return Undefined("a value is missing: noise that was not drawn, or a call that returned nothing", place)
    if any(isinstance(value, fatal) for value in values):
        return Undefined(problem, place)
    return place.error(problem, hint)


def nearly_equal(left: Any, right: Any) -> bool:
    """Whether rounding may exchange two numbers of which one is a float: what sqrt, exp and log give."""
    return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-9)


def equal(left: Any, right: Any, place: Place) -> Any:
    """Whether two values are equal: numbers by value, tags by identity, tuples part by part."""
    if is_number(left) and is_number(right):
        return compare("==", left, right, place)
    if isinstance(left, tuple) and isinstance(right, tuple):
        if len(left) != len(right):
            return False
        return all_of([equal(a, b, place) for a, b in zip(left, right, strict=True)])
    if is_condition(left) and is_condition(right):
        return (left & right) | (negation(left) & negation(right))
    if isinstance(left, Tag) or isinstance(right, Tag):
        return _same_tag(left, right)
    if left is None or right is None:
        return left is right
    raise place.error(f"`==` compares {kind(left)} with {kind(right)}", "compare values of one kind")


def _identical(left: Any, right: Any, place: Place) -> Any:
    """``left is right`` for a tag, or for True or False, and any value."""
    if isinstance(left, Tag) or isinstance(right, Tag):
        return _same_tag(left, right)
    if is_condition(left) and is_condition(right):
        return equal(left, right, place)
    truth, other = (left, right) if isinstance(left, bool) else (right, left)
    if not isinstance(truth, bool):
        raise place.error("neither side of `is` is a tag or a Boolean", "use == for numbers")
    if hasattr(other, "is_tag"):
        raise Unsupported("`is True` or `is False` of an output that is not known", place)
    return False


def _same_tag(left: Any, right: Any) -> Any:
    """Whether two values, of which one at least is a tag, are the same tag."""
    tag, other = (right, left) if isinstance(right, Tag) else (left, right)
    return other.is_tag(tag) if hasattr(other, "is_tag") else other is tag


def _member(value: Any, container: Any, place: Place) -> Any:
    items = container.items if isinstance(container, Members) else container
    if not isinstance(items, tuple):
        problem = f"the right side of `in` is {kind(container)}"
        raise misfit((container,), place, problem, "use a tuple or a set of indices")
    if isinstance(value, tuple):
        raise place.error("the left side of `in` is a sequence", "compare the items one by one")
    if type(value) in PLAIN and all(type(item) in PLAIN for item in items):
        return any(value == item for item in items)
    return any_of([equal(value, item, place) for item in items])


def arithmetic(symbol: str, left: Any, right: Any, place: Place, *, exact: bool) -> Any:
    """``left symbol right`` for + - * / // and %; a division is by something already known not to be 0."""
    plain = type(left) in PLAIN and type(right) in PLAIN
    if not plain and not (is_number(left) and is_number(right)):
        problem = f"`{symbol}` between {kind(left)} and {kind(right)}"
        raise misfit((left, right), place, problem, "compute with numbers only")
    if symbol in ("//", "%"):
        _check_whole(symbol, left, right, place)
    try:
        if symbol == "/" and exact and isinstance(left, int) and isinstance(right, int):
            return Fraction(left, right)
        result = _ARITHMETIC[symbol](left, right)
    except ZeroDivisionError:
        raise Undefined("division by zero", place) from None
    except OverflowError:
        raise Undefined("a result is too large for floating point", place) from None
    except TypeError:
        if not isinstance(left, Bits) and not isinstance(right, Bits):
            raise
        raise place.error(
            f"`{symbol}` between {left} and {right} has no exact result in base 2",
            "add base-2 parameters, and multiply and divide them by rational numbers only",
        ) from None
    return no_nan(result, place)


def no_nan(result: Any, place: Place) -> Any:
    """A result of arithmetic; InputError for the float NaN, which no real number is and which Python goes on with."""
    if type(result) is float and result != result:
        raise InputError(
            f"line {place.line}: floats are so large that their result is no number; ints, Fractions and texts such as "
            '"1/3" are computed exactly'
        )
    return result


def _check_whole(symbol: str, left: Any, right: Any, place: Place) -> None:
    """Refuse // and % of anything but whole numbers, and of symbolic numbers that have neither."""
    for value in (left, right):
        if is_concrete(value) and not isinstance(value, int):
            raise place.error(f"`{symbol}` of a number that is not whole", "divide whole numbers, or write /")
        if not is_concrete(value) and not hasattr(value, "__floordiv__"):
            raise Unsupported(f"{symbol} of a number that is not known", place)


def negation(condition: Any) -> Any:
    """``not condition``."""
    return (not condition) if isinstance(condition, bool) else ~condition


def all_of(conditions: list[Any]) -> Any:
    """All of the conditions."""
    return functools.reduce(operator.and_, conditions, True)


def any_of(conditions: list[Any]) -> Any:
    """At least one of the conditions."""
    return functools.reduce(operator.or_, conditions, False)


def choose(condition: Any, then: Any, other: Any) -> Any:
    """``then if condition else other`` for numbers, or for conditions."""
    if isinstance(condition, bool):
        return then if condition else other
    if is_condition(then) and is_condition(other):
        return (condition & then) | (~condition & other)
    return condition.choose(then, other)


def chosen_by_parts(condition: Any, then: Any, other: Any) -> Any:
    """``then if condition else other`` for tuples of one form, part by part; None where the two are of other forms."""
    if isinstance(then, tuple) and isinstance(other, tuple) and len(then) == len(other):
        parts = tuple(chosen_by_parts(condition, a, b) for a, b in zip(then, other, strict=True))
        return None if any(part is None for part in parts) else parts
    if (is_number(then) and is_number(other)) or (is_condition(then) and is_condition(other)):
        return choose(condition, then, other)
    return then if isinstance(then, Tag) and then is other else None


def maximum(values: Sequence[Any]) -> Any:
    """The largest of the numbers."""
    return _extreme(">", values)


def minimum(values: Sequence[Any]) -> Any:
    """The smallest of the numbers."""
    return _extreme("<", values)


def _extreme(beyond: str, values: Sequence[Any]) -> Any:
    """The first of the numbers that none of the others is ``beyond``."""
    best = values[0]
    for value in values[1:]:
        best = choose(compare_numbers(beyond, value, best), value, best)
    return best


def clamped(value: Any, low: Any, high: Any) -> Any:
    """The nearest number of [low, high]."""
    below_high = choose(compare_numbers(">", value, high), high, value)
    return choose(compare_numbers("<", value, low), low, below_high)


# A list of more numbers than this is refused, since nothing may be left for whatever else runs on the machine.
MOST_LISTED = 10_000_000


def count(numbers: range) -> int:
    """How many numbers a range has; ``len`` fails where they are more than a list may have."""
    return max(0, numbers.stop - numbers.start)


def listable(numbers: range, place: Place) -> range:
    """Numbers that are to be kept in a list; LanguageError where they are too many."""
    if count(numbers) > MOST_LISTED:
        problem = f"a list of {count(numbers)} numbers is too long: at most {MOST_LISTED} are listed"
        raise place.error(problem, "loop over the range, as in `for i in range(n)`, which lists nothing")
    return numbers


_SPECIAL: dict[str, Callable[[Any], Any]] = {
    "sqrt": functions.sqrt,
    "exp": functions.exp,
    "exp2": functions.exp2,
    "log": functions.log,
    "round": round,
    "floor": functions.floor,
    "ceil": functions.ceil,
}


def special(function: str, value: Any) -> Any:
    """sqrt, exp, exp2, log, round, floor or ceil of a number, by name; a symbolic number brings those that it has."""
    if is_concrete(value):
        return _SPECIAL[function](value)
    if not hasattr(value, function):
        raise Unsupported(f"{function} of a number that is not known")
    return getattr(value, function)()


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
