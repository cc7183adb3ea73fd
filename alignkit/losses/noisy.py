"""Numbers that are affine in the noise, and the path of a run on which each comparison of them is decided.

A run with the noise unknown is a run with numbers of this kind. Whenever two are compared the path takes one of the two
ways, and what it learns is a bound on a linear form in the noise; so a path ends as a polyhedron of noise vectors. The
ways of a comparison part the noise but for a set of probability 0, since all noise here is continuous.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.running.enclosing import Enclosed
from alignkit.running.values import Unsupported


class Impossible(Exception):
    """The path has probability 0, or leaves the event."""


# A linear form in the noise whose first coefficient is 1.
Form = tuple[tuple[str, Fraction], ...]


@dataclass
class Bounds:
    """What is known of a form: a lower and an upper end."""

    low: Enclosed | None = None
    high: Enclosed | None = None

    def lift(self, end: Enclosed) -> None:
        """The form is at least this, too."""
        at = self.low or end
        self.low = Enclosed(max(at.low, end.low), max(at.high, end.high))

    def lower(self, end: Enclosed) -> None:
        """The form is at most this, too."""
        at = self.high or end
        self.high = Enclosed(min(at.low, end.low), min(at.high, end.high))


@dataclass
class Branching:
    """One path: which way each choice goes, and what is known of the noise there."""

    choices: list[tuple[int, int]]
    taken: int = 0
    known: dict[Form, Bounds] = field(default_factory=dict)

    def choose(self, ways: int) -> int:
        """One of several ways, another on each path."""
        if self.taken == len(self.choices):
            self.choices.append((0, ways))
        way, _ = self.choices[self.taken]
        self.taken += 1
        return way

    def is_at_most(self, form: Form, end: Enclosed) -> bool:
        """Whether form <= end on this path."""
        bounds = self.known.setdefault(form, Bounds())
        if bounds.high is not None and bounds.high.high <= end.low:
            return True
        if bounds.low is not None and bounds.low.low >= end.high:
            return False
        if self.choose(2) == 0:
            bounds.lower(end)
            return True
        bounds.lift(end)
        return False

    def restrict(self, value: Noisy, low: Fraction | None, high: Fraction | None) -> None:
        """The value lies between two numbers from here on."""
        if low is not None and not self._holds(value - low):
            raise Impossible
        if high is not None and not self._holds(high - value):
            raise Impossible

    def at_least(self, one: Noisy, other: Noisy) -> None:
        """one >= other from here on."""
        if not self._holds(one - other):
            raise Impossible

    def _holds(self, difference: Noisy) -> bool:
        """Take difference >= 0 as given; False where that is known to be impossible."""
        if not difference.parts:
            return difference.constant.compare(">=", 0)
        form, factor, end = difference.normal()
        bounds = self.known.setdefault(form, Bounds())
        if factor > 0:
            bounds.lift(end)
        else:
            bounds.lower(end)
        return bounds.low is None or bounds.high is None or bounds.low.low < bounds.high.high


@dataclass(frozen=True, eq=False)
class Noisy:
    """A sum of noise coordinates with rational factors, and a constant."""

    path: Branching = field(repr=False)
    parts: Mapping[str, Fraction]
    constant: Enclosed

    @classmethod
    def coordinate(cls, path: Branching, name: str) -> Noisy:
        """One coordinate of the noise."""
        return cls(path, {name: Fraction(1)}, Enclosed.of(0))

    @classmethod
    def of(cls, path: Branching, constant: Any) -> Noisy:
        """A number without noise, which may be enclosed only."""
        return cls(path, {}, Enclosed.of(constant))

    def lift(self, other: Any) -> Noisy:
        """A number as one of this kind."""
        if isinstance(other, Noisy):
            return other
        return Noisy.of(self.path, other)

    def __add__(self, other: Any) -> Noisy:
        right = self.lift(other)
        parts = dict(self.parts)
        for name, factor in right.parts.items():
            total = parts.get(name, Fraction(0)) + factor
            if total:
                parts[name] = total
            else:
                parts.pop(name, None)
        return Noisy(self.path, parts, self.constant + right.constant)

    __radd__ = __add__

    def __neg__(self) -> Noisy:
        return self * -1

    def __sub__(self, other: Any) -> Noisy:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> Noisy:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> Noisy:
        if isinstance(other, Noisy):
            if other.rational is None:
                if self.rational is None:
                    raise Unsupported("a product of two noisy numbers")
                return other * self.rational
            other = other.rational
        factor = Fraction(other)
        parts = {name: part * factor for name, part in self.parts.items()} if factor else {}
        return Noisy(self.path, parts, self.constant * factor)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Noisy:
        divisor = other.rational if isinstance(other, Noisy) else Fraction(other)
        if divisor is None:
            raise Unsupported("a division by a noisy number")
        return self * (1 / divisor)

    def __rtruediv__(self, other: Any) -> Noisy:
        if self.rational is not None:
            return self.lift(Fraction(other) / self.rational)
        if self.parts:
            raise Unsupported("a division by a noisy number")
        return Noisy(self.path, {}, other / self.constant)

    def __abs__(self) -> Noisy:
        return self if self.compare(">=", 0) else -self

    @property
    def rational(self) -> Fraction | None:
        """The number, where it is a rational one."""
        return self.constant.low if not self.parts and self.constant.low == self.constant.high else None

    def normal(self) -> tuple[Form, Fraction, Enclosed]:
        """A form, the factor it was divided by, and the end: this number is >= 0 where factor * (form - end) is."""
        names = sorted(self.parts)
        factor = self.parts[names[0]]
        form = tuple((name, self.parts[name] / factor) for name in names)
        return form, factor, self.constant * (-1 / factor)

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` on this path."""
        difference = self - other
        if not difference.parts:
            return bool(difference.constant.compare(symbol, 0))
        if symbol in ("==", "!="):
            return symbol == "!="  # noise is continuous: it hits one number with probability 0
        form, factor, end = difference.normal()
        below = symbol in ("<", "<=")
        return bool(self.path.is_at_most(form, end) == (below == (factor > 0)))
