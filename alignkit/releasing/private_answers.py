"""The private answers of a release: exact numbers on their lattice. No error message shows a value or its position."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from alignkit.arguments import shown
from alignkit.errors import InputError
from alignkit.language.parameters import Query, exact

ROUNDINGS = ("refuse", "nearest")


def read_private(rounding: str, name: str, kind: Query, value: Any, lattice: Fraction | None) -> Any:
    """Read one private argument: a list of exact numbers, or one number.

    >>> from alignkit import Queries
    >>> read_private("refuse", "q", Queries(), [3, 2.5], Fraction(1, 2))
    [3, Fraction(5, 2)]
    >>> read_private("nearest", "q", Queries(), [0.2, -0.5, 0.5], Fraction(1))
    [0, 0, 1]
    """
    items = _exact(_listed(value, name) if kind.vector else [value], name)
    if lattice is not None:
        items = _on_lattice(items, lattice, name, rounding)
    return items if kind.vector else items[0]


def _listed(value: Any, name: str) -> Sequence[Any]:
    items = None
    with suppress(Exception):  # whatever an object of the caller's does: its words may show values
        if getattr(value, "ndim", 1) == 1 and not isinstance(value, str | bytes | dict | set | frozenset):
            # What is checked is what runs, whatever the caller's list does when it is read again.
            items = list(value.tolist() if hasattr(value, "tolist") else value)
    if items is None:
        raise InputError(f"{name} must be one list of numbers, not {type(value).__name__}")
    if not items:
        raise InputError(f"{name} is empty; give at least one query answer")
    return items


def _exact(items: Sequence[Any], name: str) -> Sequence[int | Fraction]:
    if _whole(items):
        return items
    with suppress(InputError):
        return [exact(x, name) for x in items]
    # Not while that problem is handled: its message shows the value, and it would be kept as this one's context.
    raise InputError(f"an answer of {name} is not a finite number; give numbers such as 3, 0.7 or 1/3")


def _on_lattice(
    items: Sequence[int | Fraction], lattice: Fraction, name: str, rounding: str
) -> Sequence[int | Fraction]:
    if lattice == 1 and _whole(items):
        return items
    step = lattice.numerator if lattice.denominator == 1 else lattice
    if rounding == "nearest":
        return [math.floor(Fraction(x) / step + Fraction(1, 2)) * step if x % step else x for x in items]
    if any(x % step for x in items):
        raise InputError(
            f"an answer of {name} is not a multiple of the lattice {shown(lattice)}; give multiples, or have answers "
            f'rounded with rounding="nearest" (this refusal depends on private data, and rounding does not: '
            f"docs/release.md)"
        )
    return items


def _whole(items: Sequence[Any]) -> bool:
    """Tell whether all are ints; True and False do not count as ints."""
    return set(map(type, items)) == {int}
