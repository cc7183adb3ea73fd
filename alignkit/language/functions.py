"""The functions of the language that are not Python's own, as they compute on plain numbers.

A mechanism that is called as ordinary Python uses these; the evaluator gives the same names the same
meaning on symbolic values. To a type checker they give floats, as the numbers of a mechanism are; what they give for
ints and Fractions is an int or a Fraction where it can be.
"""

from __future__ import annotations

import functools
import heapq
import math
import numbers
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar, cast

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.noise.bits import Bits
from alignkit.public_names import public

# Larger exponents of fractions take too long and too much memory.
LARGEST_EXPONENT = 2**14

MOST_POINTS = 10**6

# The most factors of a power that is read as a product, as x ** 3 is.
MOST_FACTORS = 16

Number = float | Fraction

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _of_numbers(usage: str) -> Callable[[_Function], _Function]:
    """Let a function raise InputError where its arguments are not finite numbers, and it cannot compute with them."""

    def decorate(function: _Function) -> _Function:
        @functools.wraps(function)
        def checked(*values: Any, **named: Any) -> Any:
            try:
                result = function(*values, **named)
            except InputError:
                raise
            except (TypeError, ValueError, OverflowError):
                _refuse_misfits(usage, (*values, *named.values()))
                raise
            if isinstance(result, float) and math.isnan(result):
                _refuse_misfits(usage, (*values, *named.values()))
            return result

        return cast(_Function, checked)

    return decorate


def _refuse_misfits(usage: str, values: Sequence[Any]) -> None:
    for value in values:
        number = isinstance(value, numbers.Real | Decimal | Bits) and not isinstance(value, bool)
        if isinstance(value, str | bytes) or value is None or (number and not _is_finite(value)):
            raise InputError(f"{usage} takes finite numbers, not {shown(value)}")


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float | Decimal) or math.isfinite(value)


def _refuse_bits(values: Sequence[Any], problem: str) -> None:
    if any(isinstance(value, Bits) for value in values):
        raise InputError(problem)


@public
def largest(values: Sequence[Number], k: int) -> tuple[int, ...]:
    """The indices of the k largest values, in decreasing order of value; ties go to the lowest index.

    Raises InputError where there are fewer than k values.

    >>> largest([3, 9, 9, 1], 3)
    (1, 2, 0)
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError(f"largest(values, k) takes a whole number k >= 1, not {shown(k)}")
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise InputError(f"largest(values, k) takes a list of numbers first, not {shown(values)}")
    if len(values) < k:
        raise InputError(f"largest(values, {shown(k)}) needs at least {shown(k)} values, and there are {len(values)}")
    if k == 1 and isinstance(values, list | tuple):
        return (values.index(max(values)),)
    if isinstance(values[0], float):
        # Floats are compared faster than keys are looked up: first how large the k largest are, then which.
        least = heapq.nlargest(k, values)[-1]
        above = [i for i, value in enumerate(values) if value >= least]
        if len(above) >= k:  # fewer where values cannot be compared
            return tuple(sorted(above, key=values.__getitem__, reverse=True)[:k])
    # Stable, as sorting is: equal values keep their order.
    return tuple(heapq.nlargest(k, range(len(values)), key=values.__getitem__))


@public
@_of_numbers("clamp(value, low, high)")
def clamp(value: Number, low: Number, high: Number) -> float:
    """The value of [low, high] nearest to value.

    >>> clamp(12, 0, 10)
    10
    """
    if low > high:
        raise InputError(f"clamp(value, low, high) needs low <= high, not [{shown(low)}, {shown(high)}]")
    return cast(float, low if value < low else high if value > high else value)


@public
@_of_numbers("floor(value)")
def floor(value: Number) -> int:
    """The largest whole number that is not above the value; exact for floats too. InputError for what is not finite.

    >>> floor(Fraction(-1, 2)), floor(2.5)
    (-1, 2)
    """
    _refuse_bits((value,), "floor(value) takes no base-2 privacy parameter")
    return math.floor(value)


@public
@_of_numbers("ceil(value)")
def ceil(value: Number) -> int:
    """The smallest whole number that is not below the value; exact for floats too. InputError for what is not finite.

    >>> ceil(Fraction(-1, 2)), ceil(2.5)
    (0, 3)
    """
    _refuse_bits((value,), "ceil(value) takes no base-2 privacy parameter")
    return math.ceil(value)


@public
@_of_numbers("lattice_points(low, high, spacing)")
def lattice_points(low: Number, high: Number, spacing: Number) -> tuple[float, ...]:
    """The multiples of a spacing above 0 in [low, high], in increasing order.

    >>> lattice_points(-1, Fraction(3, 2), 1)
    (-1, 0, 1)
    """
    _refuse_bits((low, high, spacing), "lattice_points(low, high, spacing) takes no base-2 privacy parameter")
    if not spacing > 0:
        raise InputError(f"lattice_points(low, high, spacing) needs a spacing above 0, not {shown(spacing)}")
    first, last = math.ceil(Fraction(low) / Fraction(spacing)), math.floor(Fraction(high) / Fraction(spacing))
    if last - first > MOST_POINTS:
        given = ", ".join(map(shown, (low, high, spacing)))
        raise InputError(f"lattice_points({given}) has more than {MOST_POINTS} points")
    return tuple(cast(float, spacing) * i for i in range(first, last + 1))


@public
@_of_numbers("sqrt(value)")
def sqrt(value: Number) -> float:
    """The square root; exact where an exact number has an exact root, else a float.

    >>> sqrt(Fraction(9, 4)), sqrt(4)
    (Fraction(3, 2), Fraction(2, 1))
    """
    if value < 0:
        raise InputError(f"sqrt of a negative number, {shown(value)}; sqrt takes numbers of at least 0")
    if isinstance(value, (int, Fraction)):
        exact = Fraction(value)
        root = Fraction(math.isqrt(exact.numerator), math.isqrt(exact.denominator))
        if root * root == exact:
            return cast(float, root)
    return math.sqrt(value)


@public
@_of_numbers("exp(value)")
def exp(value: Number) -> float:
    """e to the power value: 1 exactly at 0, else a float.

    >>> exp(0)
    1
    """
    if value == 0:
        return 1
    return math.exp(value)


@public
@_of_numbers("exp2(value)")
def exp2(value: Number | Bits) -> float:
    """2 to the power value: exact for a whole number, else a float.

    >>> exp2(-3), exp2(0.5)
    (Fraction(1, 8), 1.4142135623730951)
    """
    if isinstance(value, Bits):
        return cast(float, (-value).power())
    if not isinstance(value, float) and abs(value) <= LARGEST_EXPONENT and value == int(value):
        return cast(float, Fraction(2) ** int(value))
    return cast(float, 2.0 ** float(value))


@public
@_of_numbers("power(value, exponent)")
def power(value: Number, exponent: Number) -> float:
    """A number to a whole power, exact where the number is; of whole numbers a whole one, unless it is below 0.

    >>> power(Fraction(1, 2), 3), power(2, Fraction(-2, 1)), power(2, 3)
    (Fraction(1, 8), Fraction(1, 4), 8)
    """
    _refuse_bits(
        (value, exponent), "power(value, exponent) takes no base-2 privacy parameter; write exp2 for powers of 2"
    )
    whole = int(exponent)
    if exponent != whole:
        raise InputError(f"power(value, exponent) takes a whole exponent, not {shown(exponent)}")
    if abs(whole) > LARGEST_EXPONENT:
        raise InputError(f"power(value, exponent) takes exponents up to {LARGEST_EXPONENT}, not {shown(exponent)}")
    if value == 0 and whole < 0:
        raise InputError("power(0, exponent) needs an exponent of at least 0")
    if isinstance(value, int) and isinstance(exponent, int) and whole >= 0:
        return cast(float, value**whole)
    return cast(float, (value if isinstance(value, float) else Fraction(value)) ** whole)


@public
@_of_numbers("log(value)")
def log(value: Number) -> float:
    """The natural logarithm: 0 exactly at 1, else a float.

    >>> log(1), round(log(2), 6)
    (0, 0.693147)
    """
    if value <= 0:
        raise InputError(f"log of {shown(value)}; log takes numbers above 0")
    if value == 1:
        return 0
    return math.log(value)
