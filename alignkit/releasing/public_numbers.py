"""Public numbers of a run, which remember what was computed of them.

A mechanism draws noise of scale 2 / eps for each query. The quotient is the same each time, dividing fractions is slow,
and the tables of a draw are found quickest where its parameters are the very objects of the draw before.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from alignkit.errors import InternalError
from alignkit.noise import Bits


class PublicFraction(Fraction):
    """A Fraction whose products and quotients with ints, and with numbers of its kind, are computed once.

    >>> eps = PublicFraction(Fraction(7, 10))
    >>> 2 / eps, 2 / eps is 2 / eps, eps * 3, eps + 1
    (PublicFraction(20, 7), True, PublicFraction(21, 10), Fraction(17, 10))
    """

    # For each operation, what came of it by the int on the other side; and with numbers of its kind.
    _over: dict[int, Any]
    _under: dict[int, Any]
    _times: dict[int, Any]
    _others: dict[tuple[str, int], tuple[Any, Any]]

    def __new__(cls, *value: Any) -> PublicFraction:
        made = super().__new__(cls, *value)
        made._over, made._under, made._times, made._others = {}, {}, {}, {}
        return made

    def __truediv__(self, other: Any) -> Any:
        if type(other) is int:
            found = self._over.get(other)
            if found is None:
                found = self._over[other] = remembering(Fraction.__truediv__(self, other))
            return found
        return _once(self._others, "/", self, other, Fraction.__truediv__)

    def __rtruediv__(self, other: Any) -> Any:
        if type(other) is int:
            found = self._under.get(other)
            if found is None:
                found = self._under[other] = remembering(Fraction.__rtruediv__(self, other))
            return found
        return Fraction.__rtruediv__(self, other)

    def __mul__(self, other: Any) -> Any:
        if type(other) is int:
            found = self._times.get(other)
            if found is None:
                found = self._times[other] = remembering(Fraction.__mul__(self, other))
            return found
        return _once(self._others, "*", self, other, Fraction.__mul__)

    __rmul__ = __mul__


class PublicBits(Bits):
    """A base-2 privacy parameter that does the same.

    >>> from alignkit import base2
    >>> eta = remembering(base2(3, 2, 2))
    >>> eta / 2 is eta / 2, eta / 2 == base2(3, 2)
    (True, True)
    """

    __hash__ = Bits.__hash__

    def __truediv__(self, other: Any) -> Any:
        return self._once("/", other, Bits.__truediv__)

    def __mul__(self, other: Any) -> Any:
        return self._once("*", other, Bits.__mul__)

    __rmul__ = __mul__

    def _once(self, operation: str, other: Any, compute: Callable[[Any, Any], Any]) -> Any:
        if type(other) is not int:
            return _once(self.__dict__.setdefault("_others", {}), operation, self, other, compute)
        known = self.__dict__.setdefault("_known", {})
        if (operation, other) not in known:
            known[operation, other] = remembering(compute(self, other))
        return known[operation, other]


def _once(known: dict[Any, Any], operation: str, one: Any, other: Any, compute: Callable[[Any, Any], Any]) -> Any:
    """The result for another number that remembers, found by its identity."""
    if not isinstance(other, PublicFraction | PublicBits):
        return compute(one, other)
    key = operation, id(other)
    if key not in known:
        known[key] = remembering(compute(one, other)), other  # with the other, so that its id stays its own
    return known[key][0]


def remembering(value: Any) -> Any:
    """An exact public number, as one that remembers."""
    if isinstance(value, Bits):
        return PublicBits(value.parts)
    return PublicFraction(value) if isinstance(value, Fraction) else value


def as_plain(value: Any) -> Any:
    """An output with its numbers as ints where they are whole, else as Fractions.

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
