"""What z3 is told of remainders of whole numbers, in formulas without products where that is possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import z3

from alignkit.symbolic.atoms import Remainder, Special
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Atom

if TYPE_CHECKING:
    from alignkit.symbolic.z3_encoder import Encoded, Encoder


def remainder_is(remainder: Any, of: Any, divisor: Any) -> Any:
    """0 <= r <= d - 1 for d > 0, where r = x for 0 <= x < d, and r <= x - d for x >= d; d + 1 <= r <= 0 for d < 0."""
    within = z3.And(remainder >= 0, remainder <= divisor - 1)
    small = z3.Or(of <= -1, of >= divisor, remainder == of)
    large = z3.Or(of <= divisor - 1, remainder <= of - divisor)
    below = z3.And(remainder <= 0, remainder >= divisor + 1)
    return z3.And(z3.Implies(divisor > 0, z3.And(within, small, large)), z3.Implies(divisor < 0, below))


def related_remainders(encoder: Encoder, atoms: Iterable[Atom]) -> Iterator[Encoded]:
    """How remainders by one divisor are related to each other, and to what ``//`` gives."""
    listed = tuple(atoms)
    remainders = [atom for atom in listed if isinstance(atom, Remainder)]
    for one, other in itertools.combinations(remainders, 2):
        if one.divisor == other.divisor:
            yield _neighbours(encoder, one, other)
    floors = [atom for atom in listed if isinstance(atom, Special) and atom.function == "floor"]
    for remainder, floor in itertools.product(remainders, floors):
        more = (floor.of - remainder.of / remainder.divisor).constant
        if more is not None and more.denominator == 1:
            quotient = encoder.term(Term.of(floor) - more)
            whole = quotient * encoder.term(remainder.divisor) + encoder.atom(remainder)
            constant = remainder.divisor.constant is not None
            yield whole == encoder.term(remainder.of), constant and encoder.linearity.term(remainder.of)


def _neighbours(encoder: Encoder, one: Remainder, other: Remainder) -> Encoded:
    """A number and the next have remainders one apart, or d - 1 and 0; equal numbers have equal remainders."""
    distance = one.of - other.of
    if distance.constant == -1:
        one, other = other, one
    first, second, divisor = encoder.atom(one), encoder.atom(other), encoder.term(one.divisor)
    linear = encoder.linearity.term(one.divisor)
    if distance.constant in (1, -1):
        # ``one`` is the greater number.
        wraps = z3.If(divisor > 0, z3.And(second == divisor - 1, first == 0), z3.And(second == 0, first == divisor + 1))
        return z3.Or(first == second + 1, wraps), linear
    return z3.Implies(encoder.term(distance) == 0, first == second), linear and encoder.linearity.term(distance)
