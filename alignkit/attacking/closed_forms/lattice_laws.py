"""Probabilities and losses of mechanisms whose noise is on a lattice, by their exact laws.

A law gives each probability as a rational function of e^(-eps/n) or 2^(-eta/n). These bases are enclosed by balls, and
the function with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from alignkit.arithmetic.enclosures import NotCloseEnough, ball, close_ends
from alignkit.arithmetic.rational_functions import RationalFunction, add_all
from alignkit.errors import TooRare, Unsupported
from alignkit.language.parameters import Epsilon, Eta, exact
from alignkit.laws import Beyond, Law, NotDefined
from alignkit.laws.computing import law_of, output_as_written
from alignkit.limits import NEVER, Deadline
from alignkit.noise import Bits
from alignkit.output_events import Anything, Either, Event, Interval, OneOf, equal_outputs, fits, flattened, mapped
from alignkit.running.mechanism_decorator import Mechanism

# How closely probabilities are enclosed, in bits, and with how many bits at most that is computed.
_RELATIVE, _MOST_BITS = 70, 6000

# No larger exponent of a base is computed with.
_MOST_EXPONENT = 10**6

# Numbers of an output that are told apart, where the event asks for none farther out.
_WINDOW = 3


def on_lattice(mechanism: Mechanism) -> bool:
    """Whether all noise of a mechanism is on a lattice."""
    return bool(mechanism.draws) and not any(d.distribution.support.continuous for d in mechanism.draws)


@dataclass(frozen=True)
class LatticeLaw:
    """The law of a mechanism on certain inputs, its privacy parameters known."""

    law: Law
    budgets: Mapping[str, Fraction | Bits]

    @classmethod
    def of(
        cls,
        mechanism: Mechanism,
        values: Mapping[str, Any],
        window: int | Fraction = _WINDOW,
        deadline: Deadline = NEVER,
    ) -> LatticeLaw:
        """The law on these inputs; Unsupported where it is not computed, or the mechanism may be undefined."""
        open_ = [name for name, kind in mechanism.public.items() if isinstance(kind, Epsilon | Eta)]
        budgets = {name: v if isinstance(v := values[name], Bits) else Fraction(exact(v, name)) for name in open_}
        closed = {name: value for name, value in values.items() if name not in budgets}
        law = law_of(mechanism, closed, window, deadline)
        if any(isinstance(part, NotDefined) for output in law for part in flattened(output)):
            raise Unsupported("the mechanism is not defined for some noise")
        return cls(law, budgets)

    def probability(self, event: Event) -> RationalFunction:
        """The probability of an event; Unsupported where the window cuts through it."""
        return add_all([self.law.bases.one().lift(0), *(self.law[o] for o in self.law if _holds(event, o))])

    def enclosed(self, probability: RationalFunction) -> tuple[Fraction, Fraction]:
        """Rational numbers below and above a probability, close together; both 0 where it is 0 by structure."""
        if probability.is_zero:
            return Fraction(0), Fraction(0)
        if probability.largest_exponent > _MOST_EXPONENT:
            raise TooRare("a probability is too small to compute")
        try:
            low, high = close_ends(lambda: probability.ball(self._bases()), _RELATIVE, _MOST_BITS)
        except NotCloseEnough:
            raise TooRare("a probability is too small to compute") from None
        return low, min(high, Fraction(1))

    def _bases(self) -> list[arb]:
        bases = self.law.bases
        return [_base(u, self.budgets[n], bases.fineness.get(n, 1)) for n, u in bases.units.items()]

    def estimates(self) -> dict[Any, float]:
        """The probabilities of the outputs that can be an event, to some digits."""
        return {output: self._estimate(output) for output in self.law if is_pattern(output)}

    def estimates_by_pattern(self) -> dict[Any, float]:
        """The same by patterns, which all that lies beyond the window has, too."""
        return {mapped(_as_pattern, output): self._estimate(output) for output in self.law if not _has_set(output)}

    def _estimate(self, output: Any) -> float:
        return float(self.enclosed(self.law[output])[0])


def window_of(event: Event) -> Fraction:
    """A window that no end of the event's intervals lies outside of."""
    return max([Fraction(_WINDOW), *(abs(x) + 1 for part in flattened(event.patterns) for x in _numbers(part))])


def is_pattern(output: Any) -> bool:
    """Whether an output can be the pattern of an event: not what lies beyond the window, nor a set."""
    return not _has_set(output) and not any(isinstance(part, Beyond) for part in flattened(output))


def _has_set(output: Any) -> bool:
    return any(isinstance(part, frozenset) for part in flattened(output))


def _as_pattern(part: Any) -> Any:
    """A part of an output as a pattern; what lies beyond the window may hold its end, too."""
    if not isinstance(part, Beyond):
        return output_as_written(part)
    return Interval(low=Fraction(part.end)) if part.relation == ">" else Interval(high=Fraction(part.end))


def _numbers(part: Any) -> list[Fraction]:
    """The numbers that a part of a pattern compares with; those of a ``OneOf`` may lie outside the window."""
    if isinstance(part, Interval):
        return [Fraction(end) for end in (part.low, part.high) if end is not None]
    is_number = isinstance(part, int | Fraction) and not isinstance(part, bool)
    return [Fraction(part)] if is_number else []


def _holds(event: Event, output: Any) -> bool:
    """Whether an output of a law lies in an event, as ``Event.holds`` would say of every output it stands for."""
    if event.more and isinstance(event.pattern, tuple) and isinstance(output, tuple):
        output = output[: len(event.pattern)]
    return _fits(event.pattern, output_as_written(output))


def _fits(pattern: Any, part: Any) -> bool:
    if isinstance(pattern, Either):
        return any(_fits(one, part) for one in pattern.patterns) is not pattern.none
    if isinstance(pattern, OneOf) and isinstance(part, tuple):
        return any(_fits(equal_outputs(value), part) for value in pattern.values if isinstance(value, tuple))
    if isinstance(pattern, tuple) and isinstance(part, tuple):
        return len(part) == len(pattern) and all(map(_fits, pattern, part))
    if isinstance(part, Beyond) and not isinstance(pattern, tuple | Anything):
        return _reaches(pattern, part)
    return fits(pattern, part)


def _reaches(pattern: Any, part: Beyond) -> bool:
    """Whether all numbers beyond an end fit; none of them does where the window is wide enough for the event."""
    if not isinstance(pattern, Interval):
        single = pattern.values if isinstance(pattern, OneOf) else (pattern,)
        numbers = [x for x in single if isinstance(x, int | float | Fraction) and not isinstance(x, bool)]
        if all(abs(Fraction(x)) <= abs(Fraction(part.end)) for x in numbers):
            return False
        raise Unsupported("an event that names single numbers beyond the window")
    low, high = pattern.low, pattern.high
    if part.relation == ">":
        inside = high is None and (low is None or low <= part.end)
        outside = high is not None and high <= part.end
    else:
        inside = low is None and (high is None or high >= part.end)
        outside = low is not None and low >= part.end
    if not inside and not outside:
        raise Unsupported("an event whose interval ends beyond the window")
    return inside


def _base(unit: Any, budget: Fraction | Bits, fineness: int) -> arb:
    """e^(-budget / fineness) or 2^(-budget / fineness), at flint's present precision."""
    if isinstance(budget, Bits):
        return ball(budget.power()).root(fineness)
    exponent = ball(-budget / fineness)
    return (exponent if unit == "e" else exponent * arb.const_log2()).exp()
