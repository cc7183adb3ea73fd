"""Probabilities and losses of mechanisms whose noise is on a lattice, by their exact laws.

A law gives each probability as a rational function of e^(-eps/n) or 2^(-eta/n). These bases are enclosed by rational
numbers, and the function with them, outward at every step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.arithmetic.exponential_sums import ExpSum, log_below
from alignkit.arithmetic.laurent_polynomials import Polynomial
from alignkit.arithmetic.rational_functions import Ratio, total
from alignkit.errors import Unsupported
from alignkit.language.parameters import Epsilon, Eta, exact
from alignkit.laws import Beyond, Failure, Law
from alignkit.laws.computing import Truth, law_of
from alignkit.limits import NEVER, Deadline
from alignkit.noise import Bits
from alignkit.output_events import Anything, Event, Interval, OneOf, fits
from alignkit.running.mechanism_decorator import Mechanism

# How closely bases are enclosed, and how closely probabilities must come to be, in bits.
_BITS, _MOST_BITS, _RELATIVE = 192, 3072, 70

# A power of a base is taken to so many bits, and to no larger exponent.
_DIGITS, _MOST_EXPONENT = 4096, 10**6

# Numbers of an output that are told apart, where the event asks for none farther out.
_WINDOW = 3

Bounds = tuple[Fraction, Fraction]


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
        found = law_of(mechanism, closed, window, deadline)
        if any(_fails(output) for output in found):
            raise Unsupported("the mechanism is not defined for some noise")
        return cls(found, budgets)

    def probability(self, event: Event) -> Ratio:
        """The probability of an event; Unsupported where the window cuts through it."""
        return total([self.law.bases.one().lift(0), *(self.law[o] for o in self.law if _holds(event, o))])

    def enclosed(self, ratio: Ratio) -> Bounds:
        """Rational numbers below and above a probability, close together; both 0 where it is 0 by structure."""
        bits = _BITS
        while not ratio.is_zero:
            low, high = _enclosed(ratio, self._bases(bits))
            if low > 0 and (high - low) * 2**_RELATIVE <= low:
                return low, min(high, Fraction(1))
            if bits > _MOST_BITS:
                raise Unsupported("a probability is too small to compute")
            bits *= 2
        return Fraction(0), Fraction(0)

    def _bases(self, bits: int) -> list[Bounds]:
        bases = self.law.bases
        return [_base(u, self.budgets[n], bases.fineness.get(n, 1), bits) for n, u in bases.units.items()]

    def estimates(self) -> dict[Any, float]:
        """The probabilities of the outputs that can be an event, to some digits."""
        return {
            output: float(self.enclosed(self.law[output])[0]) for output in self.law if is_pattern(output)
        }


def loss(low: Fraction, high: Fraction) -> float:
    """ln(low / high), rounded down, and at least 0."""
    if high == 0:
        return math.inf if low else 0.0
    return max(0.0, log_below(low / high)) if low else 0.0


def window_of(event: Event) -> Fraction:
    """A window that no end of the event's intervals lies outside of."""
    return max([Fraction(_WINDOW), *(abs(number) + 1 for number in _numbers(event.pattern))])


def is_pattern(output: Any) -> bool:
    """Whether an output can be the pattern of an event: not what lies beyond the window, nor a set."""
    if isinstance(output, tuple):
        return all(map(is_pattern, output))
    return not isinstance(output, Beyond | frozenset)


def pattern(output: Any) -> Any:
    """The pattern that an output alone fits."""
    if isinstance(output, tuple):
        return tuple(map(pattern, output))
    return output.value if isinstance(output, Truth) else output


def _numbers(part: Any) -> list[Fraction]:
    if isinstance(part, tuple):
        return [number for each in part for number in _numbers(each)]
    if isinstance(part, Interval):
        return [Fraction(end) for end in (part.low, part.high) if end is not None]
    is_number = isinstance(part, int | Fraction) and not isinstance(part, bool)
    return [Fraction(part)] if is_number else []


def _fails(output: Any) -> bool:
    return isinstance(output, Failure) or (isinstance(output, tuple) and any(map(_fails, output)))


def _holds(event: Event, output: Any) -> bool:
    if event.more and isinstance(event.pattern, tuple) and isinstance(output, tuple):
        output = output[: len(event.pattern)]
    return _fits(event.pattern, output)


def _fits(wanted: Any, part: Any) -> bool:
    if isinstance(wanted, tuple):
        alike = isinstance(part, tuple) and len(part) == len(wanted)
        return alike and all(_fits(w, p) for w, p in zip(wanted, part, strict=True))
    if isinstance(wanted, Anything):
        return True
    if isinstance(part, Truth):
        return fits(wanted, part.value)
    if isinstance(part, Beyond):
        return _reaches(wanted, part)
    return fits(wanted, part)


def _reaches(wanted: Any, part: Beyond) -> bool:
    """Whether all numbers beyond an end fit; none of them does where the window is wide enough for the event."""
    if not isinstance(wanted, Interval):
        single = wanted.values if isinstance(wanted, OneOf) else (wanted,)
        numbers = [x for x in single if isinstance(x, int | float | Fraction) and not isinstance(x, bool)]
        if all(abs(Fraction(x)) <= abs(Fraction(part.end)) for x in numbers):
            return False
        raise Unsupported("an event that asks for single numbers beyond the window")
    low, high = wanted.low, wanted.high
    if part.relation == ">":
        inside = high is None and (low is None or low <= part.end)
        outside = high is not None and high <= part.end
    else:
        inside = low is None and (high is None or high >= part.end)
        outside = low is not None and low >= part.end
    if not inside and not outside:
        raise Unsupported("an event whose interval ends beyond the window")
    return inside


def _base(unit: Any, budget: Fraction | Bits, fineness: int, bits: int) -> Bounds:
    """e^(-budget / fineness) or 2^(-budget / fineness)."""
    if isinstance(budget, Bits):
        number = budget.power()
        root = _root(number.numerator * (1 << (bits * fineness)) // number.denominator, fineness, 0)
        return Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits)
    exponent = budget / fineness
    if unit == "e":
        return ExpSum.of([(-exponent, 1)]).enclosure(bits)
    above, below = exponent.numerator, exponent.denominator
    root = _root(1 << (bits * below), below, above)
    return Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits)


def _root(scaled: int, degree: int, halvings: int) -> int:
    """The whole part of (scaled / 2**halvings) ** (1/degree), for a power of 2 that is large enough."""
    number = scaled >> halvings
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low


def _enclosed(ratio: Ratio, bases: list[Bounds]) -> Bounds:
    low, high = _polynomial(ratio.polynomial, bases)
    for factor, power in ratio.factors.items():
        bottom, top = _polynomial(factor, bases)
        if bottom <= 0 <= top:
            return Fraction(-1), Fraction(1)  # not close enough to tell
        if power < 0:
            bottom, top = 1 / top, 1 / bottom
        for _ in range(abs(power)):
            corners = (low * bottom, low * top, high * bottom, high * top)
            low, high = min(corners), max(corners)
    return low, high


def _polynomial(polynomial: Polynomial, bases: list[Bounds]) -> Bounds:
    low = high = Fraction(0)
    for monomial, coefficient in polynomial.terms.items():
        small = large = Fraction(1)
        for (bottom, top), exponent in zip(bases, monomial, strict=True):
            if abs(exponent) > _MOST_EXPONENT:
                raise Unsupported("a probability is too small to compute")
            ends = (bottom, top) if exponent >= 0 else (top, bottom)
            small, large = small * _power(ends[0], exponent, up=False), large * _power(ends[1], exponent, up=True)
        low += coefficient * (small if coefficient > 0 else large)
        high += coefficient * (large if coefficient > 0 else small)
    return low, high


def _power(base: Fraction, exponent: int, *, up: bool) -> Fraction:
    """A power of a number above 0, rounded in one direction to few digits at every step."""
    if exponent < 0:
        return 1 / _power(base, -exponent, up=not up)
    result, square = Fraction(1), base
    while exponent:
        if exponent & 1:
            result = _rounded(result * square, up=up)
        square, exponent = _rounded(square * square, up=up), exponent >> 1
    return result


def _rounded(number: Fraction, *, up: bool) -> Fraction:
    """The number, or where it has many digits one of fewer that is not above it, or not below."""
    above, below = number.numerator.bit_length(), number.denominator.bit_length()
    places = _DIGITS - above + below
    if above + below <= 2 * _DIGITS or places <= 0:
        return number
    return Fraction((number.numerator << places) // number.denominator + up, 1 << places)
