"""Readers for the arguments of public functions: each returns the value in one type, or raises InputError."""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from numbers import Real
from typing import Any

from alignkit.errors import InputError
from alignkit.formatting import by_parts

_LONGEST = 60

# The exact value of a number such as 1e99999999 takes more memory than there is.
_LARGEST_EXPONENT = 10_000
_EXPONENT = re.compile(r"[eE]([-+]?[0-9_]+)\s*$")


def shown(value: object) -> str:
    """Write a value for a message: on one line, shortened, and a fraction as people write it.

    >>> shown("5"), shown(None), shown(Fraction(1, 3)), len(shown("x" * 1000)), shown(10**9999)[:3]
    ("'5'", 'None', '1/3', 63, '100')
    """
    try:
        text = str(value) if isinstance(value, Fraction) else repr(value)
    except Exception:  # a number of more digits than Python writes out, or a value whose __repr__ fails
        text = by_parts(value)
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def whole(value: object, name: str, least: int = 0) -> int:
    """Read a whole number, at least ``least``; Booleans and floats are refused.

    >>> whole(3, "seed")
    3
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        raise InputError(f"{name} must be a whole number, at least {least}, not {shown(value)}")
    return number


def seconds(value: object, name: str) -> float:
    """Read a time, in seconds above 0.

    >>> seconds(5, "the timeout")
    5.0
    """
    is_number = isinstance(value, float | Real) and type(value) is not bool
    try:
        number = float(value) if is_number else math.nan  # type: ignore[arg-type]
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and number > 0):
        raise InputError(f"{name} must be a number of seconds above 0, such as 10, not {shown(value)}")
    return number


def iterated(value: object, name: str, what: str) -> Iterable[Any]:
    """Read a list or another iterable; text and mappings are refused. ``what`` says what to write instead."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InputError(f"{name} must be {what}, not {shown(value)}")
    return value


def items(value: object, name: str, what: str) -> tuple[Any, ...]:
    """Read the items of a list or another iterable as a tuple; see `iterated`.

    >>> items(range(2), "tau", "a list of values")
    (0, 1)
    """
    return tuple(iterated(value, name, what))


# Kinds of numpy's and pandas' dtypes that are no numbers; objects and texts are looked at one by one.
_NO_NUMBERS = "bcmMV"


def column(value: Any, name: str) -> Iterable[Any]:
    """Read one list of numbers, or what stands for one: an array, a column of a table, a dict of counts, by its values.

    The numbers themselves are not looked at, and no message shows them. No library is imported for its arrays.

    >>> list(column({"apples": 3, "pears": 5}, "q")), list(column(range(2), "q"))
    ([3, 5], [0, 1])
    """
    if isinstance(value, Mapping):
        return list(value.values())
    kind = type(value).__name__
    if (dimensions := len(getattr(value, "shape", (0,)))) != 1:
        if hasattr(value, "columns"):
            raise InputError(f"{name} must be one list of numbers, not a table; give one of its columns")
        raise InputError(f"{name} must be one list of numbers, not an array of {dimensions} dimensions")
    dtype = getattr(value, "dtype", None)
    if getattr(dtype, "kind", "O") in _NO_NUMBERS:
        raise InputError(f"{name} must be a list of numbers, not {kind} of dtype {dtype}; convert it first")
    for method in ("tolist", "to_list", "to_numpy", "__array__"):
        if callable(getattr(value, method, None)):
            items: Any = getattr(value, method)()
            return items if isinstance(items, list) else column(items, name)
    if isinstance(value, str | bytes | Set) or not isinstance(value, Iterable):
        raise InputError(f"{name} must be one list of numbers, not {kind}")
    return value


def mapping(value: object, name: str, what: str) -> dict[Any, Any]:
    """Read a mapping as a dict. ``what`` says what to write instead.

    >>> mapping({"k": 2}, "parameters", "a dict")
    {'k': 2}
    """
    if not isinstance(value, Mapping):
        raise InputError(f"{name} must be {what}, not {shown(value)}")
    return dict(value)


def check_callable(value: object, name: str, what: str) -> None:
    """Raise InputError unless the value is None or can be called. ``what`` says what to write instead."""
    if value is not None and not callable(value):
        raise InputError(f"{name} must be {what}, not {shown(value)}")


def path(value: object, name: str, what: str = "a path, such as 'baskets.dat'") -> str:
    """Read the path of a file as text. ``what`` says what to write instead.

    >>> path("baskets.dat", "the data file")
    'baskets.dat'
    """
    text = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str):
        raise InputError(f"{name} must be {what}, not {shown(value)}")
    return text


def fraction(text: str) -> Fraction:
    """Read the number that a text such as "3", "0.7" or "1/3" stands for; raise ValueError where there is none.

    >>> fraction("1/3")
    Fraction(1, 3)
    """
    exponent = _EXPONENT.search(text)
    if exponent is not None and abs(int(exponent[1])) > _LARGEST_EXPONENT:
        raise ValueError(f"the exponent of {shown(text)} is too large")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{shown(text)} divides by zero") from None
