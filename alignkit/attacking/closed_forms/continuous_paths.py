"""The path of a run whose noise is continuous and whose private answers are not known, where comparisons are decided.

Whenever two numbers are compared the path takes one of the two ways. What it learns is a bound on a linear form in the
noise, by an end that depends on the answers; or, where no noise is left, a condition on the answers alone. So a path
ends, for given answers, as a polyhedron of noise vectors. The ways of a comparison part the noise but for a set of
probability 0, since all noise here is continuous.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.affine import Form, NoisePath, NoisyNumber, plus, times
from alignkit.errors import Infeasible, Unsupported
from alignkit.running.enclosing import Enclosed


@dataclass(frozen=True, eq=False)
class Offset:
    """A number without noise: private answers by their names, with rational factors, and an enclosed constant."""

    answers: Mapping[str, Fraction]
    constant: Enclosed

    @property
    def key(self) -> tuple[Any, ...]:
        """What is equal for equal numbers, and can be looked up."""
        return tuple(sorted(self.answers.items())), self.constant

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Offset) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __add__(self, other: Offset) -> Offset:
        return Offset(plus(self.answers, other.answers), self.constant + other.constant)

    def __neg__(self) -> Offset:
        return self * -1

    def __mul__(self, factor: Fraction | int) -> Offset:
        return Offset(times(self.answers, factor), self.constant * factor)

    def at(self, answers: Mapping[str, Fraction]) -> Enclosed:
        """The number, for given answers."""
        moved = sum((factor * answers[name] for name, factor in self.answers.items()), Fraction(0))
        return Enclosed(self.constant.low + moved, self.constant.high + moved)

    def surely_at_most(self, other: Offset) -> bool:
        """Whether this is at most another whatever the answers are, as far as can be told."""
        return self.answers == other.answers and self.constant.high <= other.constant.low


@dataclass
class Ends:
    """The ends that are known of a form, from below and from above."""

    lows: list[Offset] = field(default_factory=list)
    highs: list[Offset] = field(default_factory=list)


@dataclass(frozen=True)
class Guard:
    """A condition on the answers alone: a number is >=, >, == or != 0."""

    relation: str
    of: Offset

    def holds(self, answers: Mapping[str, Fraction]) -> bool:
        """Whether given answers meet it."""
        return bool(self.of.at(answers).compare(self.relation, 0))


@dataclass(eq=False)
class ContinuousPath(NoisePath):
    """One path: which way each choice goes, and what is known of the noise there.

    A condition on the answers alone goes the way that it has for the given ``answers``, and is written down: for others
    that meet the same ``guards`` the path is the same.
    """

    answers: Mapping[str, Fraction]
    guards: dict[Guard, bool]
    known: dict[Form, Ends] = field(default_factory=dict)

    def coordinate(self, name: str) -> NoisyNumber:
        """One coordinate of the noise."""
        return NoisyNumber(self, {name: Fraction(1)}, Offset({}, Enclosed.of(0)))

    def answer(self, name: str) -> NoisyNumber:
        """One private answer."""
        return NoisyNumber(self, {}, Offset({name: Fraction(1)}, Enclosed.of(0)))

    def is_at_most(self, form: Form, end: Offset) -> bool:
        """Whether form <= end on this path."""
        ends = self.known.setdefault(form, Ends())
        if any(high.surely_at_most(end) for high in ends.highs):
            return True
        if any(end.surely_at_most(low) for low in ends.lows):
            return False
        at_most = self.choices.choose(2) == 0
        (ends.highs if at_most else ends.lows).append(end)
        return at_most

    def holds(self, guard: Guard) -> bool:
        """Whether a condition on the answers holds."""
        if guard not in self.guards:
            self.guards[guard] = guard.holds(self.answers)
        return self.guards[guard]

    # Numbers with noise

    def lift(self, value: Any) -> NoisyNumber:
        """A public number, which may be enclosed only."""
        return NoisyNumber(self, {}, Offset({}, Enclosed.of(value)))

    def rational(self, number: NoisyNumber) -> Fraction | None:
        if number.parts or number.offset.answers:
            return None
        constant: Enclosed = number.offset.constant
        return constant.low if constant.low == constant.high else None

    def pinned(self, number: NoisyNumber) -> Fraction | None:
        if number.parts or not number.offset.answers:
            return self.rational(number)
        here: Enclosed = number.offset.at(self.answers)
        return here.low if here.low == here.high and number.compare("==", here.low) else None

    def concrete(self, number: NoisyNumber) -> Fraction:
        value = self.pinned(number)
        if value is None:
            raise Unsupported("power of a number that is not known")
        return value

    def reciprocal(self, number: NoisyNumber) -> NoisyNumber:
        if (value := self.pinned(number)) is not None:
            return self.lift(1 / value)
        if number.parts or number.offset.answers:
            raise Unsupported("a division by a number with noise or private answers")
        return self.lift(1 / number.offset.constant)

    def product_of_unknowns(self) -> Unsupported:
        return Unsupported("a product of two numbers with noise or private answers")

    def assume_at_least(self, one: NoisyNumber, other: NoisyNumber, *, strictly: bool = False) -> None:
        difference = one - other
        if not difference.parts:
            if not difference.compare(">" if strictly else ">=", 0):
                raise Infeasible
            return
        form, factor, end = difference.normal()
        ends = self.known.setdefault(form, Ends())
        (ends.lows if factor > 0 else ends.highs).append(end)
        if any(high.surely_at_most(low) for high in ends.highs for low in ends.lows):
            raise Infeasible

    def compare(self, difference: NoisyNumber, symbol: str) -> bool:
        if difference.parts:
            if symbol in ("==", "!="):
                return symbol == "!="  # noise is continuous: it hits one number with probability 0
            form, factor, end = difference.normal()
            below = symbol in ("<", "<=")
            return self.is_at_most(form, end) == (below == bool(factor > 0))
        offset: Offset = difference.offset
        if not offset.answers:
            return bool(offset.constant.compare(symbol, 0))
        if symbol in ("==", "!="):
            return self.holds(Guard("==", offset)) == (symbol == "==")
        # One form for both readings of a comparison, so that the same question has the same answer.
        if symbol in ("<", ">="):
            return self.holds(Guard(">=", offset)) == (symbol == ">=")
        return self.holds(Guard(">=", -offset)) == (symbol == "<=")
