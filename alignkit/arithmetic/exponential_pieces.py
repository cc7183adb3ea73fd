"""One piece of a piecewise function: Σ c · eʳ · xᵈ · e^{ax} in whole numbers, and what can be done to it.

A piece maps (a, d) to the coefficient of xᵈ e^{ax}, and a coefficient maps r to c. Both r and a count in units 1/unit
and c over a denominator; unit and denominator are those of the function the piece belongs to (see `piecewise`).
Whole numbers in dicts: the pieces are short, and polynomials of flint take three times as long to make and take apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

Number = int | Fraction
Coefficient = dict[int, int]
Piece = dict[tuple[int, int], Coefficient]


def as_whole(x: Number) -> Number:
    """The same number, as an int where it is one: what follows is then done in ints.

    >>> as_whole(Fraction(4, 2)), as_whole(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return x.numerator if x.denominator == 1 else x


def rational_quotient(x: Number, y: Number) -> Number:
    """x / y, as an int where it is one."""
    return x * y if y in (1, -1) else as_whole(Fraction(x) / y)


def add_to(total: Coefficient, terms: Coefficient, factor: int = 1, shift: int = 0) -> None:
    """Add factor · e**shift · terms to a total, in place."""
    for r, c in terms.items():
        total[r + shift] = total.get(r + shift, 0) + factor * c


def cleared(piece: Piece) -> Piece:
    """Without terms whose coefficient is 0."""
    kept = ((key, {r: c for r, c in terms.items() if c}) for key, terms in piece.items())
    return {key: terms for key, terms in kept if terms}


def product(f: Piece, g: Piece) -> Piece:
    """f · g.

    >>> product({(1, 0): {0: 2}}, {(1, 0): {5: 1}, (0, 1): {0: 3}})
    {(2, 0): {5: 2}, (1, 1): {0: 6}}
    """
    result: Piece = {}
    for (a, d), terms in f.items():
        for (b, e), others in g.items():
            total = result.setdefault((a + b, d + e), {})
            if len(terms) < len(others):
                few, many = terms, others
            else:
                few, many = others, terms
            for shift, factor in few.items():
                add_to(total, many, factor, shift)
    return cleared(result)


def subtracted(f: Piece, g: Piece) -> Piece:
    """f - g, of one unit and denominator."""
    result = {key: dict(terms) for key, terms in f.items()}
    for key, terms in g.items():
        add_to(result.setdefault(key, {}), terms, -1)
    return cleared(result)


def multiplied(piece: Piece, factor: int) -> Piece:
    """The piece with every coefficient multiplied."""
    if factor == 1:
        return piece
    return {key: {r: c * factor for r, c in terms.items()} for key, terms in piece.items()}


def in_finer_units(piece: Piece, factor: int) -> Piece:
    """The same function, its unit multiplied by a factor."""
    return {(a * factor, d): {r * factor: c for r, c in terms.items()} for (a, d), terms in piece.items()}


def degree(pieces: Iterable[Piece]) -> int:
    """The largest power of x."""
    return max((d for piece in pieces for _, d in piece), default=0)


def at(piece: Piece, x: Number, clear: int) -> Coefficient:
    """clear · piece(x); the unit must make every rate times x whole, and `clear` every power of x.

    The rates are whole numbers of units, so an x with denominator m asks for a unit divisible by m.
    """
    total: Coefficient = {}
    for (a, d), terms in piece.items():
        add_to(total, terms, _int(clear * x**d) if d else clear, _int(a * x))
    return {r: c for r, c in total.items() if c}


def after(piece: Piece, slope: Number, shift: Number, clear: int) -> Piece:
    """clear · piece(slope · x + shift), by the binomial theorem; unit and `clear` as for `at`."""
    if slope == 1 and clear == 1 and not shift:
        return piece
    result: Piece = {}
    for (a, d), terms in piece.items():
        rate, grow = _int(a * slope), _int(a * shift)
        for i in range(d + 1):
            factor = _int(clear * math.comb(d, i) * slope**i * shift ** (d - i)) if d else clear
            if factor:
                add_to(result.setdefault((rate, i), {}), terms, factor, grow)
    return cleared(result)


def antiderivative(piece: Piece, unit: int, clear: int) -> Piece:
    """clear · F with F′ = piece, F without a constant term; `clear` as `clearing` gives it.

    For a ≠ 0 and with a now in units of x: ∫ xᵈ e^{ax} dx = e^{ax} Σᵢ (-1)^{d-i} d!/i! xⁱ / a^{d-i+1}, which is
    checked by differentiating: all terms but i = d cancel in pairs. For a = 0 it is x^{d+1}/(d+1).
    """
    result: Piece = {}
    for (a, d), terms in piece.items():
        if a == 0:
            add_to(result.setdefault((0, d + 1), {}), terms, clear // (d + 1))
            continue
        if d == 0:
            add_to(result.setdefault((a, 0), {}), terms, clear * unit // a)
            continue
        inverse = Fraction(unit, a)
        factor = clear * inverse
        for i in range(d, -1, -1):
            add_to(result.setdefault((a, i), {}), terms, _int(factor))
            factor *= -i * inverse
    return cleared(result)


def clearing(pieces: Iterable[Piece], unit: int) -> int:
    """A whole number that clears the denominators of the antiderivatives of all pieces."""
    keys = {key for piece in pieces for key in piece}
    return math.lcm(*((a // math.gcd(a, unit)) ** (d + 1) if a else d + 1 for a, d in keys))


def _int(x: Number) -> int:
    if x.denominator != 1:
        raise ArithmeticError(f"{x} should have been whole")
    return x.numerator
