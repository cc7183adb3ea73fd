"""Numbers that are affine in integer noise, and the path on which each comparison is decided.

Noise on a lattice is an unknown integer times the lattice's spacing. A comparison splits the integers of one unknown,
or of a form in several, into two intervals, and the path takes one of them. At its end a path is a set of intervals,
whose probability ``masses`` sums up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any

from alignkit.interpreting.exploring import Choices, Infeasible
from alignkit.laws.ratios import Ratio
from alignkit.running.values import Unsupported

# Whole factors without a common divisor, the first above 0, in the order of the names.
Form = tuple[tuple[str, int], ...]

# An unknown with finitely many values left is tried value by value where it meets another; up to so many.
MOST_VALUES = 2000


@dataclass(frozen=True)
class Interval:
    """The integers from low to high; None where there is no end.

    >>> Interval(0, 3).count, Interval(None, 3).count
    (4, None)
    """

    low: int | None = None
    high: int | None = None

    @property
    def count(self) -> int | None:
        return None if self.low is None or self.high is None else self.high - self.low + 1


@dataclass(frozen=True)
class Unknown:
    """One draw: its distribution by name, and how many times as likely each step away from 0 is as the one before."""

    name: str
    one_sided: bool
    step: Ratio = field(repr=False)


@dataclass(eq=False)
class Path:
    """One run: which way each choice goes, what is known of the noise, and how probable the finite choices are."""

    choices: Choices
    one: Ratio
    unknowns: dict[str, Unknown] = field(default_factory=dict)
    known: dict[Form, Interval] = field(default_factory=dict)
    chosen: Ratio | None = None

    def choose(self, ways: int) -> int:
        """One of several ways, another on each path."""
        return self.choices.choose(ways)

    def draw(self, unknown: Unknown, spacing: Fraction) -> Noisy:
        """A fresh unknown, times the spacing of its lattice."""
        self.unknowns[unknown.name] = unknown
        self.known[((unknown.name, 1),)] = Interval(0 if unknown.one_sided else None, None)
        return Noisy(self, {unknown.name: spacing}, Fraction(0))

    def weigh(self, probability: Ratio) -> None:
        """A finite choice of this probability was made."""
        self.chosen = probability if self.chosen is None else self.chosen * probability

    def range(self, name: str) -> Interval:
        """Where an unknown lies."""
        return self.known[((name, 1),)]

    def is_at_least(self, form: Form, bound: int) -> bool:
        """Whether form >= bound on this path."""
        known = self.known.get(form, Interval())
        if known.low is not None and known.low >= bound:
            return True
        if known.high is not None and known.high < bound:
            return False
        if self.choose(2) == 0:
            self.known[form] = Interval(bound, known.high)
            return True
        self.known[form] = Interval(known.low, bound - 1)
        return False

    def assume(self, form: Form, known: Interval) -> None:
        """The form lies in an interval from here on. Raises Infeasible where it cannot."""
        old = self.known.get(form, Interval())
        low = max((end for end in (old.low, known.low) if end is not None), default=None)
        high = min((end for end in (old.high, known.high) if end is not None), default=None)
        if low is not None and high is not None and low > high:
            raise Infeasible
        self.known[form] = Interval(low, high)

    def finite(self, form: Form) -> bool:
        """Whether so few values of a form are left that they can be tried one by one."""
        count = self.known.get(form, Interval()).count
        return count is not None and count <= MOST_VALUES

    def pick(self, form: Form) -> int:
        """One value of a form that has finitely many left, another on each path."""
        known = self.known.get(form, Interval())
        if known.count is None or known.count > MOST_VALUES:
            raise Unsupported(f"more than {MOST_VALUES} values of the noise {form[0][0]} matter one by one")
        value = (known.low or 0) + (self.choose(known.count) if known.count > 1 else 0)
        self.known[form] = Interval(value, value)
        return value


@dataclass(frozen=True, eq=False)
class Noisy:
    """A sum of unknown integers with rational factors, and a constant."""

    path: Path = field(repr=False)
    parts: Mapping[str, Fraction]
    constant: Fraction

    def lift(self, other: Any) -> Noisy:
        """A number as one of this kind."""
        if isinstance(other, Noisy):
            return other
        if not isinstance(other, int | Fraction):
            raise Unsupported("noise beside a privacy parameter or a probability that is left open")
        return Noisy(self.path, {}, Fraction(other))

    def settled(self) -> Noisy:
        """The same number without the unknowns of which one value is left."""
        parts, constant = dict(self.parts), self.constant
        for name in self.parts:
            where = self.path.range(name)
            if where.count == 1:
                constant += parts.pop(name) * (where.low or 0)
        return Noisy(self.path, parts, constant)

    @property
    def rational(self) -> Fraction | None:
        """The number, where one value is left."""
        settled = self.settled()
        return None if settled.parts else settled.constant

    def value(self) -> Fraction:
        """The number, with all unknowns in it tried value by value."""
        for name in self.settled().parts:
            self.path.pick(((name, 1),))
        return self.settled().constant

    def __add__(self, other: Any) -> Noisy:
        right = self.lift(other)
        names = {**self.parts, **right.parts}
        parts = {name: self.parts.get(name, Fraction(0)) + right.parts.get(name, Fraction(0)) for name in names}
        return Noisy(self.path, {n: c for n, c in parts.items() if c}, self.constant + right.constant)

    __radd__ = __add__

    def __neg__(self) -> Noisy:
        return self * -1

    def __sub__(self, other: Any) -> Noisy:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> Noisy:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> Noisy:
        right = self.lift(other)
        factor = right.rational
        if factor is None:
            if self.rational is None:
                raise Unsupported("a product of two numbers with noise")
            return right * self.rational
        parts = {name: part * factor for name, part in self.parts.items()} if factor else {}
        return Noisy(self.path, parts, self.constant * factor)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Noisy:
        return self * (1 / self.lift(other).value())

    def __rtruediv__(self, other: Any) -> Noisy:
        return self.lift(other) * (1 / self.value())

    def __abs__(self) -> Noisy:
        return self if self.compare(">=", 0) else -self

    def power(self, exponent: int) -> Fraction:
        return self.value() ** exponent

    def normal(self) -> tuple[Form, Fraction, Fraction]:
        """A form and two numbers: this one is factor * (form - end)."""
        scale = lcm(*(part.denominator for part in self.parts.values()))
        whole = {name: int(part * scale) for name, part in sorted(self.parts.items())}
        divisor = gcd(*whole.values())
        if next(iter(whole.values())) < 0:
            divisor = -divisor
        factor = Fraction(divisor, scale)
        return tuple((name, part // divisor) for name, part in whole.items()), factor, -self.constant / factor

    def _beside(self, other: Any) -> Noisy:
        """The difference to another number; unknowns of few values that meet others there are tried one by one."""
        difference: Noisy = (self - other).settled()
        while len(difference.parts) > 1:
            finite = [n for n in difference.parts if self.path.finite(((n, 1),))]
            if not finite:
                break
            self.path.pick(((min(finite, key=lambda n: (self.path.range(n).count, n)), 1),))
            difference = difference.settled()
        return difference

    def assume_at_least(self, other: Any, *, strictly: bool) -> None:
        """self >= other (or >) from here on. Raises Infeasible where that cannot be."""
        difference = self._beside(other)
        if not difference.parts:
            if not _plainly(">" if strictly else ">=", difference.constant):
                raise Infeasible
            return
        form, factor, end = difference.normal()
        if factor > 0:
            self.path.assume(form, Interval(floor(end) + 1 if strictly else ceil(end), None))
        else:
            self.path.assume(form, Interval(None, ceil(end) - 1 if strictly else floor(end)))

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` on this path."""
        difference = self._beside(other)
        if not difference.parts:
            return _plainly(symbol, difference.constant)
        form, factor, end = difference.normal()
        if symbol in ("==", "!="):
            whole = end.denominator == 1
            equal = whole and self.path.is_at_least(form, int(end)) and not self.path.is_at_least(form, int(end) + 1)
            return equal == (symbol == "==")
        if symbol in ("<", "<="):
            return not difference.compare(">=" if symbol == "<" else ">", 0)
        if factor > 0:
            return self.path.is_at_least(form, ceil(end) if symbol == ">=" else floor(end) + 1)
        return not self.path.is_at_least(form, floor(end) + 1 if symbol == ">=" else ceil(end))


def _plainly(symbol: str, value: Fraction) -> bool:
    return {
        "<": value < 0,
        "<=": value <= 0,
        ">": value > 0,
        ">=": value >= 0,
        "==": value == 0,
        "!=": value != 0,
    }[symbol]
