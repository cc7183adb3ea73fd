"""Numbers that are affine in the noise and the private answers, and the path on which each comparison is decided.

A run with noise and answers unknown is a run with numbers of this kind. Whenever two are compared the path takes one
of the two ways. What it learns is a bound on a linear form in the noise, by an end that depends on the answers; or,
where no noise is left, a condition on the answers alone. So a path ends, for given answers, as a polyhedron of noise
vectors. The ways of a comparison part the noise but for a set of probability 0, since all noise here is continuous.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.interpreting.exploring import Choices, Infeasible
from alignkit.running.enclosing import Enclosed
from alignkit.running.values import Unsupported

# Linear in named numbers: a factor for each name, in the order of the names.
Form = tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True)
class End:
    """A number that depends on the answers: a linear form in them, and a constant."""

    answers: Form
    constant: Enclosed

    def at(self, answers: Mapping[str, Fraction]) -> Enclosed:
        """The number, for given answers."""
        moved = sum((factor * answers[name] for name, factor in self.answers), Fraction(0))
        return Enclosed(self.constant.low + moved, self.constant.high + moved)


@dataclass
class Ends:
    """The ends that are known of a form, from below and from above."""

    lows: list[End] = field(default_factory=list)
    highs: list[End] = field(default_factory=list)


@dataclass(frozen=True)
class Guard:
    """A condition on the answers alone: a number is >=, >, == or != 0."""

    relation: str
    of: End

    def holds(self, answers: Mapping[str, Fraction]) -> bool:
        """Whether given answers meet it."""
        return bool(self.of.at(answers).compare(self.relation, 0))


@dataclass
class Branching:
    """One path: which way each choice goes, and what is known of the noise there.

    A condition on the answers alone goes the way that it has for the given ``answers``, and is written down: for others
    that meet the same ``guards`` the path is the same.
    """

    choices: Choices
    answers: Mapping[str, Fraction]
    guards: dict[Guard, bool]
    known: dict[Form, Ends] = field(default_factory=dict)

    def choose(self, ways: int) -> int:
        """One of several ways, another on each path."""
        return self.choices.choose(ways)

    def is_at_most(self, form: Form, end: End) -> bool:
        """Whether form <= end on this path."""
        ends = self.known.setdefault(form, Ends())
        if any(_below(high, end) for high in ends.highs):
            return True
        if any(_below(end, low) for low in ends.lows):
            return False
        if self.choose(2) == 0:
            ends.highs.append(end)
            return True
        ends.lows.append(end)
        return False

    def holds(self, guard: Guard) -> bool:
        """Whether a condition on the answers holds."""
        if guard not in self.guards:
            self.guards[guard] = guard.holds(self.answers)
        return self.guards[guard]

    def at_least(self, one: Noisy, other: Noisy, *, strictly: bool = False) -> None:
        """one >= other from here on."""
        difference = one - other
        if not difference.parts:
            if not difference.compare(">" if strictly else ">=", 0):
                raise Infeasible
            return
        form, factor, end = difference.normal()
        ends = self.known.setdefault(form, Ends())
        (ends.lows if factor > 0 else ends.highs).append(end)
        if any(_below(high, low) for high in ends.highs for low in ends.lows):
            raise Infeasible


def _below(one: End, other: End) -> bool:
    """Whether one <= other whatever the answers are, as far as can be told."""
    return one.answers == other.answers and one.constant.high <= other.constant.low


@dataclass(frozen=True, eq=False)
class Noisy:
    """A sum of noise coordinates and of private answers with rational factors, and a constant."""

    path: Branching = field(repr=False)
    parts: Mapping[str, Fraction]
    answers: Mapping[str, Fraction]
    constant: Enclosed

    @classmethod
    def coordinate(cls, path: Branching, name: str) -> Noisy:
        """One coordinate of the noise."""
        return cls(path, {name: Fraction(1)}, {}, Enclosed.of(0))

    @classmethod
    def answer(cls, path: Branching, name: str) -> Noisy:
        """One private answer."""
        return cls(path, {}, {name: Fraction(1)}, Enclosed.of(0))

    @classmethod
    def of(cls, path: Branching, constant: Any) -> Noisy:
        """A public number, which may be enclosed only."""
        return cls(path, {}, {}, Enclosed.of(constant))

    def lift(self, other: Any) -> Noisy:
        """A number as one of this kind."""
        return other if isinstance(other, Noisy) else Noisy.of(self.path, other)

    def __add__(self, other: Any) -> Noisy:
        right = self.lift(other)
        parts, answers = _sum(self.parts, right.parts), _sum(self.answers, right.answers)
        return Noisy(self.path, parts, answers, self.constant + right.constant)

    __radd__ = __add__

    def __neg__(self) -> Noisy:
        return Noisy(self.path, _times(self.parts, -1), _times(self.answers, -1), -self.constant)

    def __sub__(self, other: Any) -> Noisy:
        return self + -self.lift(other)

    def __rsub__(self, other: Any) -> Noisy:
        return self.lift(other) + -self

    def __mul__(self, other: Any) -> Noisy:
        if isinstance(other, Noisy):
            if other.rational is None:
                if self.rational is None:
                    raise Unsupported("a product of two numbers with noise or private answers")
                return other * self.rational
            other = other.rational
        factor = Fraction(other)
        return Noisy(self.path, _times(self.parts, factor), _times(self.answers, factor), self.constant * factor)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Noisy:
        divisor = other.rational if isinstance(other, Noisy) else Fraction(other)
        if divisor is None:
            raise Unsupported("a division by a number with noise or private answers")
        return self * (1 / divisor)

    def __rtruediv__(self, other: Any) -> Noisy:
        if self.rational is not None:
            return self.lift(Fraction(other) / self.rational)
        if self.parts or self.answers:
            raise Unsupported("a division by a number with noise or private answers")
        return Noisy(self.path, {}, {}, other / self.constant)

    def __abs__(self) -> Noisy:
        return self if self.compare(">=", 0) else -self

    @property
    def rational(self) -> Fraction | None:
        """The number, where it is a public and rational one."""
        known = not self.parts and not self.answers and self.constant.low == self.constant.high
        return self.constant.low if known else None

    @property
    def end(self) -> End:
        """The number without its noise."""
        return End(_form(self.answers), self.constant)

    def normal(self) -> tuple[Form, Fraction, End]:
        """A form whose first factor is 1, the factor it was divided by, and an end.

        The number is factor * (form - end).
        """
        form = _form(self.parts)
        factor = form[0][1]
        rest = Noisy(self.path, {}, self.answers, self.constant) / -factor
        return tuple((name, part / factor) for name, part in form), factor, rest.end

    def compare(self, symbol: str, other: Any) -> bool:
        """Whether ``self symbol other`` on this path."""
        difference = self - other
        if difference.parts:
            if symbol in ("==", "!="):
                return symbol == "!="  # noise is continuous: it hits one number with probability 0
            form, factor, end = difference.normal()
            below = symbol in ("<", "<=")
            return self.path.is_at_most(form, end) == (below == bool(factor > 0))
        if not difference.answers:
            return bool(difference.constant.compare(symbol, 0))
        if symbol in ("==", "!="):
            return self.path.holds(Guard("==", difference.end)) == (symbol == "==")
        # One form for both readings of a comparison, so that the same question has the same answer.
        if symbol in ("<", ">="):
            return self.path.holds(Guard(">=", difference.end)) == (symbol == ">=")
        return self.path.holds(Guard(">=", (-difference).end)) == (symbol == "<=")


def _form(parts: Mapping[str, Fraction]) -> Form:
    return tuple(sorted(parts.items()))


def _sum(one: Mapping[str, Fraction], other: Mapping[str, Fraction]) -> Mapping[str, Fraction]:
    if not one or not other:
        return one or other
    total = dict(one)
    for name, factor in other.items():
        value = total.get(name, 0) + factor
        if value:
            total[name] = Fraction(value)
        else:
            del total[name]
    return total


def _times(parts: Mapping[str, Fraction], factor: Fraction | int) -> Mapping[str, Fraction]:
    return {name: part * factor for name, part in parts.items()} if factor else {}
