"""Products of atoms with exponents: their order, what they share, and how a part of a term is written."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from alignkit.errors import TooManyDigits
from alignkit.symbolic.trees import Atom

Monomial = tuple[tuple[Atom, int], ...]
# The monomials of a sum with their coefficients. Most whole ones are ints, which are much faster than Fractions; so
# no coefficient may be divided by `/` as it is.
Parts = dict[Monomial, Fraction | int]


def ordered(powers: Iterable[tuple[Atom, int]]) -> Monomial:
    """The monomial of some atoms and their exponents, sorted by the atoms' keys, without those of exponent 0."""
    return tuple(sorted(((a, n) for a, n in powers if n), key=lambda power: power[0].key))


def order(monomial: Monomial) -> tuple[tuple[str, int], ...]:
    """The sort key of a monomial within a term."""
    return tuple([(a.key, n) for a, n in monomial])


def common(parts: Parts) -> Monomial:
    """The largest monomial (exponents may be negative) that divides every part."""
    powers = [dict(monomial) for monomial in parts]
    atoms = dict.fromkeys(atom for monomial in powers for atom in monomial)
    return ordered((atom, min(monomial.get(atom, 0) for monomial in powers)) for atom in atoms)


def text(monomial: Monomial, coefficient: Fraction | int) -> str:
    """A part of a term, with its sign."""
    above = [a.key if n == 1 else f"{a.key}**{n}" for a, n in monomial if n > 0]
    below = [a.key if n == -1 else f"{a.key}**{-n}" for a, n in monomial if n < 0]
    number, divisor = abs(coefficient.numerator), coefficient.denominator
    if number != 1 or not above:
        above.insert(0, _digits(number))
    if divisor != 1:
        below.insert(0, _digits(divisor))
    whole = " * ".join(above)
    if below:
        whole += " / " + (below[0] if len(below) == 1 else f"({' * '.join(below)})")
    return ("-" if coefficient < 0 else "") + whole


def _digits(number: int) -> str:
    try:
        return str(number)
    except ValueError as problem:
        raise TooManyDigits(f"a number that is too long: {problem}") from None
