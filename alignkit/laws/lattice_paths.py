"""The path of a run whose noise is unknown integers, where each comparison is decided.

Noise on a lattice is an unknown integer times the lattice's spacing. A comparison splits the integers of one unknown,
or of a form in several, into two intervals, and the path takes one of them. At its end a path is a set of intervals,
whose probability ``masses`` sums up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from alignkit.arithmetic.affine import Form, NoisePath, NoisyNumber
from alignkit.arithmetic.rational_functions import RationalFunction
from alignkit.errors import Infeasible, Unsupported
from alignkit.interpreting.operations import COMPARE

# A draw with finitely many values left is tried value by value where it meets another; up to so many.
MOST_VALUES = 2000


@dataclass(frozen=True)
class IntegerInterval:
    """The integers from low to high; None where there is no end.

    >>> IntegerInterval(0, 3).count, IntegerInterval(None, 3).count
    (4, None)
    """

    low: int | None = None
    high: int | None = None

    @property
    def count(self) -> int | None:
        return None if self.low is None or self.high is None else self.high - self.low + 1


@dataclass(frozen=True)
class LatticeDraw:
    """One draw: whether it is one-sided, and how many times as likely each step away from 0 is as the one before.

    ``masses`` caches the probabilities of intervals, for all draws of one distribution.
    """

    name: str
    one_sided: bool
    step: RationalFunction = field(repr=False)
    masses: dict[IntegerInterval, RationalFunction] = field(repr=False)


@dataclass(eq=False)
class LatticePath(NoisePath):
    """One run: what holds of the integers that were drawn, and how probable the finite choices are.

    ``masses`` holds the caches of the distributions, by their form, for all paths of a law; ``intervals`` says where
    each form of the noise lies; ``chosen`` is the probability of the finite choices.
    """

    one: RationalFunction
    masses: dict[Any, dict[IntegerInterval, RationalFunction]] = field(default_factory=dict)
    draws: dict[str, LatticeDraw] = field(default_factory=dict)
    intervals: dict[Form, IntegerInterval] = field(default_factory=dict)
    chosen: RationalFunction | None = None

    def draw(self, fresh: LatticeDraw, spacing: Fraction) -> NoisyNumber:
        """A fresh draw, times the spacing of its lattice."""
        self.draws[fresh.name] = fresh
        self.intervals[((fresh.name, 1),)] = IntegerInterval(0 if fresh.one_sided else None, None)
        return NoisyNumber(self, {fresh.name: spacing}, Fraction(0))

    def weigh(self, probability: RationalFunction) -> None:
        """Note that a finite choice of this probability was made."""
        self.chosen = probability if self.chosen is None else self.chosen * probability

    def range(self, name: str) -> IntegerInterval:
        """Where a draw lies."""
        return self.intervals[((name, 1),)]

    def is_at_least(self, form: Form, bound: int) -> bool:
        """Whether form >= bound on this path."""
        interval = self.intervals.get(form, IntegerInterval())
        if interval.low is not None and interval.low >= bound:
            return True
        if interval.high is not None and interval.high < bound:
            return False
        if self.choices.choose(2) == 0:
            self.intervals[form] = IntegerInterval(bound, interval.high)
            return True
        self.intervals[form] = IntegerInterval(interval.low, bound - 1)
        return False

    def assume(self, form: Form, interval: IntegerInterval) -> None:
        """Assume from here on that the form lies in an interval. Raises Infeasible where it cannot."""
        old = self.intervals.get(form, IntegerInterval())
        low = max((end for end in (old.low, interval.low) if end is not None), default=None)
        high = min((end for end in (old.high, interval.high) if end is not None), default=None)
        if low is not None and high is not None and low > high:
            raise Infeasible
        self.intervals[form] = IntegerInterval(low, high)

    def finite(self, form: Form) -> bool:
        """Whether so few values of a form are left that they can be tried one by one."""
        count = self.intervals.get(form, IntegerInterval()).count
        return count is not None and count <= MOST_VALUES

    def pick(self, form: Form) -> int:
        """One value of a form that has finitely many left, another on each path."""
        interval = self.intervals.get(form, IntegerInterval())
        if interval.count is None or interval.count > MOST_VALUES:
            values = f"more than {MOST_VALUES} values of the noise {form[0][0]}"
            raise Unsupported(f"{values} would have to be tried one by one")
        value = (interval.low or 0) + (self.choices.choose(interval.count) if interval.count > 1 else 0)
        self.intervals[form] = IntegerInterval(value, value)
        return value

    def settled(self, number: NoisyNumber) -> NoisyNumber:
        """The same number without the draws of which one value is left."""
        parts, offset = dict(number.parts), number.offset
        for name in number.parts:
            where = self.range(name)
            if where.count == 1:
                offset += parts.pop(name) * (where.low or 0)
        return NoisyNumber(self, parts, offset)

    # Numbers with noise

    def lift(self, value: Any) -> NoisyNumber:
        if not isinstance(value, int | Fraction):
            raise Unsupported("noise combined with a privacy parameter or a probability that is left open")
        return NoisyNumber(self, {}, Fraction(value))

    def rational(self, number: NoisyNumber) -> Fraction | None:
        settled = self.settled(number)
        return None if settled.parts else settled.offset

    def concrete(self, number: NoisyNumber) -> Fraction:
        """The number, with all draws in it tried value by value."""
        for name in self.settled(number).parts:
            self.pick(((name, 1),))
        return Fraction(self.settled(number).offset)

    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        return self.lift(1 / self.concrete(number))

    def product_of_unknowns(self) -> Unsupported:
        return Unsupported("a product of two numbers with noise")

    def _separated(self, difference: NoisyNumber) -> NoisyNumber:
        """The difference of two numbers; a draw of few values that meets another there is tried value by value."""
        difference = self.settled(difference)
        while len(difference.parts) > 1:
            finite = [n for n in difference.parts if self.finite(((n, 1),))]
            if not finite:
                break
            self.pick(((min(finite, key=lambda n: (self.range(n).count, n)), 1),))
            difference = self.settled(difference)
        return difference

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        difference = self._separated(one - other)
        if not difference.parts:
            if not COMPARE[">" if strictly else ">="](difference.offset, 0):
                raise Infeasible
            return
        form, factor, end = difference.normal()
        if factor > 0:
            self.assume(form, IntegerInterval(floor(end) + 1 if strictly else ceil(end), None))
        else:
            self.assume(form, IntegerInterval(None, ceil(end) - 1 if strictly else floor(end)))

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        difference = self._separated(difference)
        if not difference.parts:
            return COMPARE[symbol](difference.offset, 0)
        form, factor, end = difference.normal()
        if symbol in ("==", "!="):
            whole = end.denominator == 1
            equal = whole and self.is_at_least(form, int(end)) and not self.is_at_least(form, int(end) + 1)
            return equal == (symbol == "==")
        if symbol in ("<", "<="):
            return not self.compare(difference, ">=" if symbol == "<" else ">")
        if factor > 0:
            return self.is_at_least(form, ceil(end) if symbol == ">=" else floor(end) + 1)
        return not self.is_at_least(form, floor(end) + 1 if symbol == ">=" else ceil(end))
