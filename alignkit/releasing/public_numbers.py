"""Public numbers of a run, which remember the results of operations on them.

A mechanism draws noise of scale 2 / eps for each query. The quotient is the same each time, dividing fractions is slow,
and the tables of a draw are found quickest where its parameters are the very objects of the draw before.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from alignkit.errors import InternalError
from alignkit.noise import Bits


def _once(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make an operation that is computed once for each int, and once for each number that remembers.

    An int is known by its value, another number by its identity; it is kept, so that its identity stays its own.
    """
    name = compute.__name__
    by_int, by_number = f"_{name}_by_int", f"_{name}_by_number"

    def operation(self: Any, other: Any) -> Any:
        kind = type(other)
        if kind is int:
            memory, key = self.__dict__.setdefault(by_int, {}), other
        elif kind is PublicFraction or kind is PublicBits:
            memory, key = self.__dict__.setdefault(by_number, {}), id(other)
        else:
            return compute(self, other)
        kept = memory.get(key)
        if kept is None:
            kept = memory[key] = remembering(compute(self, other)), other
        return kept[0]

    return operation


class PublicFraction(Fraction):
    """A Fraction that remembers its products and quotients.

    >>> eps = PublicFraction(Fraction(7, 10))
    >>> 2 / eps, 2 / eps is 2 / eps, eps * 3, eps + 1
    (PublicFraction(20, 7), True, PublicFraction(21, 10), Fraction(17, 10))
    """

    __truediv__ = _once(Fraction.__truediv__)
    __rtruediv__ = _once(Fraction.__rtruediv__)
    __mul__ = __rmul__ = _once(Fraction.__mul__)


class PublicBits(Bits):
    """A base-2 privacy parameter that remembers its products and quotients.

    >>> from alignkit import base2
    >>> eta = remembering(base2(3, 2, 2))
    >>> eta / 2 is eta / 2, eta / 2 == base2(3, 2)
    (True, True)
    """

    __hash__ = Bits.__hash__
    __truediv__ = _once(Bits.__truediv__)
    __mul__ = __rmul__ = _once(Bits.__mul__)


def remembering(value: Any) -> Any:
    """Turn an exact public number into one that remembers, and return any other value as it is."""
    if isinstance(value, Bits):
        return PublicBits(value.parts)
    return PublicFraction(value) if isinstance(value, Fraction) else value


def as_plain(value: Any) -> Any:
    """Turn the numbers of an output into ints where they are whole, and into Fractions elsewhere.

    >>> as_plain((PublicFraction(Fraction(4, 2)), [Fraction(1, 3), True, None]))
    (2, [Fraction(1, 3), True, None])
    """
    if value is None or isinstance(value, bool) or type(value) is int:
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else Fraction(value.numerator, value.denominator)
    if isinstance(value, float):
        raise InternalError("a release computed a float")
    if isinstance(value, tuple | list | set | frozenset):
        kind = next(k for k in (tuple, list, set, frozenset) if isinstance(value, k))
        return kind(as_plain(x) for x in value)
    return value
