"""Numbers that are affine in noise, on a path where each comparison of two of them is decided.

A run whose noise is unknown is a run with numbers of this kind. What a comparison of two of them means is up to the
path: on a lattice it splits whole numbers into intervals, and for continuous noise it cuts with a half space.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from alignkit.errors import Unsupported
from alignkit.interpreting.exploring import Choices

# Whole factors without a common divisor, the first above 0, in the order of the names.
Form = tuple[tuple[str, int], ...]


@dataclass(eq=False)
class NoisePath(ABC):
    """One run with its noise unknown: the choices that lead down it, and what holds of noisy numbers there."""

    choices: Choices

    @abstractmethod
    def lift(self, value: Any) -> NoisyNumber:
        """A value as a noisy number without noise; Unsupported where it is none."""

    @abstractmethod
    def rational(self, number: NoisyNumber) -> Fraction | None:
        """The number, where it is a known rational one on this path."""

    def pinned(self, number: NoisyNumber) -> Fraction | None:
        """The number as a rational one; where that depends on private answers, the path is for these answers only."""
        return self.rational(number)

    @abstractmethod
    def concrete(self, number: NoisyNumber) -> Fraction:
        """One value of the number, perhaps another on each path; Unsupported where it has too many."""

    @abstractmethod
    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        """1 over the number; Unsupported where that is not affine."""

    @abstractmethod
    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        """Whether ``difference symbol 0`` on this path."""

    @abstractmethod
    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        """Assume one >= other (or >) from here on. Raises Infeasible where that cannot be."""

    @abstractmethod
    def product_of_unknowns(self) -> Unsupported:
        """The error for a product of two numbers neither of which is known."""

    def select_largest(self, values: Sequence[NoisyNumber], k: int) -> tuple[int, ...]:
        """The positions of the k largest values, each selection on a path of its own.

        The selected beat one another in their order, and the last of them beats all others.
        """
        left = list(range(len(values)))
        chosen = [left.pop(self.choices.choose(len(left))) for _ in range(k)]
        for one, other in [*itertools.pairwise(chosen), *((chosen[-1], other) for other in left)]:
            # A tie goes to the lower index.
            self.assume_at_least(values[one], values[other], strictly=one > other)
        return tuple(chosen)


@dataclass(frozen=True, eq=False)
class NoisyNumber:
    """A sum of noise by its names, with rational factors, and a number without noise, the offset.

    An offset is anything with +, unary - and products with a Fraction: a Fraction itself, or what depends on private
    answers that are not known.
    """

    path: NoisePath = field(repr=False)
    parts: Mapping[str, Fraction]
    offset: Any

    def lift(self, other: Any) -> NoisyNumber:
        """A value as a number of this kind."""
        return other if isinstance(other, NoisyNumber) else self.path.lift(other)

    @property
    def rational(self) -> Fraction | None:
        """The number, where it is a known rational one on this path."""
        return self.path.rational(self)

    def _scaled(self, factor: Fraction) -> NoisyNumber:
        return NoisyNumber(self.path, times(self.parts, factor), self.offset * factor)

    def __add__(self, other: Any) -> NoisyNumber:
        right = self.lift(other)
        return NoisyNumber(self.path, plus(self.parts, right.parts), self.offset + right.offset)

    __radd__ = __add__

    def __neg__(self) -> NoisyNumber:
        return NoisyNumber(self.path, times(self.parts, -1), -self.offset)

    def __sub__(self, other: Any) -> NoisyNumber:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> NoisyNumber:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> NoisyNumber:
        right = self.lift(other)
        if (factor := right.rational) is not None:
            return self._scaled(factor)
        if (factor := self.rational) is not None:
            return right._scaled(factor)
        if (factor := self.path.pinned(right)) is not None:
            return self._scaled(factor)
        if (factor := self.path.pinned(self)) is not None:
            return right._scaled(factor)
        raise self.path.product_of_unknowns()

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> NoisyNumber:
        return self * self.path.reciprocal(self.lift(other))

    def __rtruediv__(self, other: Any) -> NoisyNumber:
        return self.lift(other) * self.path.reciprocal(self)

    def __abs__(self) -> NoisyNumber:
        return self if self.compare(">=", 0) else -self

    def power(self, exponent: int) -> Fraction:
        """The number to a whole power."""
        return self.path.concrete(self) ** exponent

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` on this path."""
        return self.path.compare(self - other, symbol)

    def normal(self) -> tuple[Form, Fraction, Any]:
        """A form, a factor and an end: this number, which has noise, is factor * (form - end)."""
        scale = lcm(*(part.denominator for part in self.parts.values()))
        whole = {name: int(part * scale) for name, part in sorted(self.parts.items())}
        divisor = gcd(*whole.values())
        if next(iter(whole.values())) < 0:
            divisor = -divisor
        factor = Fraction(divisor, scale)
        return tuple((name, part // divisor) for name, part in whole.items()), factor, self.offset * (-1 / factor)


def plus(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    """The sum of two linear forms, given by their factors; no factor of it is 0."""
    if not one or not other:
        return one or other
    total = dict(one)
    for name, factor in other.items():
        value = total.get(name, 0) + factor
        if value:
            total[name] = value
        else:
            del total[name]
    return total


def times(parts: Mapping[str, Fraction], factor: Fraction | int) -> Mapping[str, Fraction]:
    """A linear form with every factor multiplied."""
    return {name: part * factor for name, part in parts.items()} if factor else {}
