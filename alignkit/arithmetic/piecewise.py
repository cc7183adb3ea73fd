"""Functions of one real number that are sums of c · xᵈ · e^{ax} on each of finitely many pieces, exactly.

Integrals between bounds that depend affinely on another variable, as functions of that variable.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alignkit.arithmetic import exponential_sums as piece
from alignkit.arithmetic.exponential_sums import (
    Coefficient,
    ExpSum,
    Number,
    Piece,
    as_expsum,
    as_whole,
    rational_quotient,
)

Term = tuple[ExpSum | Number, int, Number]
"""A coefficient c, a degree d and a rate a: the term c · xᵈ · e^{ax}."""


@dataclass(frozen=True)
class Affine:
    """The function u ↦ slope · u + shift, with rational numbers."""

    slope: Number
    shift: Number

    def __call__(self, u: Number) -> Number:
        return self.slope * u + self.shift


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A function of one real number, a sum of terms c · xᵈ · e^{ax} between neighbouring knots; made by `of`.

    d is a natural number, a and the knots are rational, and c is an `ExpSum`. There is one piece more than knots: the
    first reaches down to -∞, the last up to ∞. What a function is at a knot is not defined (`at` takes the piece
    above), since all this serves integration. These functions are closed under products, affine maps of x and
    integration, so that every operation here is exact.

    ``pieces`` hold whole numbers: exponents and rates in units 1/unit, coefficients over ``denominator``; they are
    shared between functions and must not be altered.

    >>> laplace = Piecewise.of([0], [[(Fraction(1, 2), 0, 1)], [(Fraction(1, 2), 0, -1)]])
    >>> print(laplace.integral(), laplace.integral(low=3))
    1 1/2*exp(-3)
    >>> print((laplace * laplace).integral(), laplace.antiderivative().at(1))
    1/4 -1/2*exp(-1) + 1
    """

    knots: tuple[Number, ...]
    pieces: tuple[Piece, ...]
    unit: int = 1
    denominator: int = 1

    @classmethod
    def of(cls, knots: Sequence[Number], pieces: Sequence[Iterable[Term]]) -> Piecewise:
        """The function with these knots, increasing, and the sum of these terms on each piece."""
        given = [[(as_expsum(c), d, a) for c, d, a in terms] for terms in pieces]
        if len(given) != len(knots) + 1 or any(x >= y for x, y in itertools.pairwise(knots)):
            raise ValueError("knots must increase, with one piece more than knots")
        flat = [term for terms in given for term in terms]
        unit = math.lcm(*(math.lcm(c.unit, a.denominator) for c, _, a in flat))
        denominator = math.lcm(*(c.denominator for c, _, _ in flat))
        made: list[Piece] = []
        for terms in given:
            made.append({})
            for c, d, a in terms:
                total = made[-1].setdefault((int(a * unit), d), {})
                numerators = {r * (unit // c.unit): x for r, x in zip(c.exponents, c.coefficients, strict=True)}
                piece.add_to(total, numerators, denominator // c.denominator)
        return cls(tuple(as_whole(x) for x in knots), tuple(map(piece.cleared, made)), unit, denominator)

    def refined(self, unit: int) -> Piecewise:
        """The same function with a unit that is a multiple of both its own and the given one."""
        factor = math.lcm(unit, self.unit) // self.unit
        if factor == 1:
            return self
        made = tuple(piece.in_finer_units(f, factor) for f in self.pieces)
        return Piecewise(self.knots, made, self.unit * factor, self.denominator)

    def at(self, x: Number) -> ExpSum:
        """The value at x, at a knot that of the piece above it."""
        f = self.refined(self.unit * x.denominator)
        clear = x.denominator ** piece.degree(f.pieces)
        value = piece.at(f.pieces[bisect_right(f.knots, x)], x, clear)
        return ExpSum.over(value, f.unit, f.denominator * clear)

    def __mul__(self, other: Piecewise) -> Piecewise:
        f, g = self.refined(other.unit), other.refined(self.unit)
        knots = sorted({*f.knots, *g.knots})
        pairs = [(f.pieces[bisect_right(f.knots, x)], g.pieces[bisect_right(g.knots, x)]) for x in knots]
        made = [piece.product(one, other) for one, other in [(f.pieces[0], g.pieces[0]), *pairs]]
        return Piecewise(tuple(knots), tuple(made), f.unit, f.denominator * g.denominator)

    def __pow__(self, exponent: int) -> Piecewise:
        """The product of so many copies, at least one; by repeated squaring."""
        if exponent == 1:
            return self
        half = self ** (exponent // 2)
        return half * half if exponent % 2 == 0 else half * half * self

    def after(self, map: Affine) -> Piecewise:
        """u ↦ self(map(u)), for a map that is not constant.

        >>> print(Piecewise.of([0], [[], [(1, 1, -1)]]).after(Affine(2, -2)).at(3))
        4*exp(-4)
        """
        if not map.slope:
            raise ValueError("a constant map leaves no function; take its value with `at`")
        whole_by = math.lcm(map.slope.denominator, map.shift.denominator)
        f = self.refined(self.unit * whole_by)
        clear = whole_by ** piece.degree(f.pieces)
        knots = [as_whole((x - map.shift) / Fraction(map.slope)) for x in f.knots]
        made = [piece.after(g, map.slope, map.shift, clear) for g in f.pieces]
        if map.slope < 0:
            knots.reverse()
            made.reverse()
        return Piecewise(tuple(knots), tuple(made), f.unit, f.denominator * clear)

    def antiderivative(self) -> Piecewise:
        """x ↦ ∫ f from -∞ to x, continuous; raises ValueError where that diverges.

        On each piece it is the antiderivative without constant term plus a constant, which is carried over each knot
        so that no jump is left.
        """
        if any(a <= 0 for a, _ in self.pieces[0]):
            raise ValueError("the integral from -∞ diverges")
        f, heads, clear, powers = self._heads()
        constant: Coefficient = {}  # to be subtracted
        made = [piece.multiplied(heads[0], powers)]
        for x, below, above in zip(f.knots, heads, heads[1:], strict=False):
            piece.add_to(constant, piece.at(below, x, powers), -1)
            piece.add_to(constant, piece.at(above, x, powers))
            made.append(piece.subtracted(piece.multiplied(above, powers), {(0, 0): constant}))
        return Piecewise(f.knots, tuple(made), f.unit, f.denominator * clear * powers).reduced()

    def integral(self, low: Number | None = None, high: Number | None = None) -> ExpSum:
        """The integral from low to high, None for no end; 0 where low >= high. Raises ValueError if it diverges."""
        if low is not None and high is not None and low >= high:
            return ExpSum()
        f, heads, clear, powers = self._heads(low, high)
        ends = [x for x in f.knots if (low is None or x > low) and (high is None or x < high)]
        first = 0 if low is None else bisect_right(f.knots, low)
        last = first + len(ends)
        total: Coefficient = {}
        for x, below in zip([*ends, high], heads[first : last + 1], strict=True):
            _add_end(total, below, x, powers, 1)
        for x, above in zip([low, *ends], heads[first : last + 1], strict=True):
            _add_end(total, above, x, powers, -1)
        return ExpSum.over(total, f.unit, f.denominator * clear * powers)

    def _heads(self, *further: Number | None) -> tuple[Piecewise, list[Piece], int, int]:
        """What antiderivatives and integrals are made of: a function, heads, a factor, and a second factor.

        The function is self, in a unit that suits its knots and the further points. The heads are the antiderivatives
        of its pieces times the first factor. The second is the `clear` of `exponential_pieces.at` at these points.
        """
        denominator = math.lcm(*(x.denominator for x in (*self.knots, *further) if x is not None))
        f = self.refined(self.unit * denominator)
        clear = piece.clearing(f.pieces, f.unit)
        heads = [piece.antiderivative(g, f.unit, clear) for g in f.pieces]
        return f, heads, clear, denominator ** piece.degree(heads)

    def reduced(self) -> Piecewise:
        """The same function with the least denominator."""
        divide = math.gcd(self.denominator, *(c for f in self.pieces for terms in f.values() for c in terms.values()))
        if divide == 1:
            return self
        made = tuple({key: {r: c // divide for r, c in terms.items()} for key, terms in f.items()} for f in self.pieces)
        return Piecewise(self.knots, made, self.unit, self.denominator // divide)


def _add_end(total: Coefficient, head: Piece, x: Number | None, clear: int, sign: int) -> None:
    """Add sign · clear · head(x) to a total; at an end at ∞ (None) the limit, which is 0 if there is one."""
    if x is not None:
        piece.add_to(total, piece.at(head, x, clear), sign)
    elif any(a * sign >= 0 for a, _ in head):
        raise ValueError("the integral diverges")


def partial_integral(total: Piecewise, lower: Sequence[Affine], upper: Sequence[Affine]) -> Piecewise:
    """u ↦ ∫ f(v) dv over the v above every lower(u) and below every upper(u), where `total` is f.antiderivative().

    That is total(H(u)) - total(L(u)) where L(u) = max lower(u) is below H(u) = min upper(u), and 0 elsewhere; without
    upper bounds total(∞) is the constant of the last piece, without lower ones total(-∞) is 0. Which bound is the
    highest or lowest, in which piece of `total` it falls, and whether L < H changes only where two bounds cross or
    one meets a knot. So on each interval between such u all of it is settled by one test point inside.

    >>> from fractions import Fraction
    >>> laplace = Piecewise.of([0], [[(Fraction(1, 2), 0, 1)], [(Fraction(1, 2), 0, -1)]])
    >>> tail = partial_integral(laplace.antiderivative(), [Affine(1, 2)], [])
    >>> tail.knots, str(tail.at(1)), str(tail.at(-5))
    ((-2,), '1/2*exp(-3)', '-1/2*exp(-3) + 1')
    """
    bounds = [*lower, *upper]
    whole_by = math.lcm(*(math.lcm(b.slope.denominator, b.shift.denominator) for b in bounds))
    f = total.refined(total.unit * whole_by)
    clear = whole_by ** piece.degree(f.pieces)
    cuts = sorted(_cuts(f.knots, bounds))
    doubled_knots = [2 * x for x in f.knots]
    moved: dict[tuple[int, int], Piece] = {}

    def value(which: int, doubled: Number) -> tuple[int, int]:
        """A bound and the piece of total it falls in, at half of `doubled`."""
        bound = bounds[which]
        point = bound.slope * doubled + 2 * bound.shift
        place = which, bisect_right(doubled_knots, point)
        if place not in moved:
            moved[place] = piece.after(f.pieces[place[1]], bound.slope, bound.shift, clear)
        return place

    if not upper and any(key != (0, 0) and key[0] >= 0 for key in f.pieces[-1]):
        raise ValueError("the integral up to ∞ diverges")
    at_end: Piece = piece.multiplied({key: terms for key, terms in f.pieces[-1].items() if key == (0, 0)}, clear)
    knots: list[Number] = []
    made: list[Piece] = []
    places: list[tuple[tuple[int, int] | None, tuple[int, int] | None] | None] = []
    for index, doubled in enumerate(_doubled_midpoints(cuts)):
        heights = [bound.slope * doubled + 2 * bound.shift for bound in bounds]
        top = min(range(len(lower), len(bounds)), key=heights.__getitem__, default=None)
        bottom = max(range(len(lower)), key=heights.__getitem__, default=None)
        here: tuple[tuple[int, int] | None, tuple[int, int] | None] | None = None
        if top is None or bottom is None or heights[bottom] < heights[top]:
            here = None if bottom is None else value(bottom, doubled), None if top is None else value(top, doubled)
        if places and here == places[-1]:
            continue
        if index:
            knots.append(cuts[index - 1])
        places.append(here)
        if here is None:
            made.append({})
        else:
            below, above = here
            made.append(
                piece.subtracted(at_end if above is None else moved[above], {} if below is None else moved[below])
            )
    return Piecewise(tuple(knots), tuple(made), f.unit, f.denominator * clear)


def _cuts(knots: Sequence[Number], bounds: Sequence[Affine]) -> set[Number]:
    """Where two bounds cross or one meets a knot."""
    cuts: set[Number] = set()
    for b in bounds:
        if b.slope:
            cuts.update(rational_quotient(x - b.shift, b.slope) for x in knots)
    for b, c in itertools.combinations(bounds, 2):
        if b.slope != c.slope:
            cuts.add(rational_quotient(c.shift - b.shift, b.slope - c.slope))
    return cuts


def _doubled_midpoints(cuts: Sequence[Number]) -> list[Number]:
    """Twice a point inside each interval that the cuts make; twice, so that whole cuts give whole numbers."""
    if not cuts:
        return [0]
    inside = [x + y for x, y in itertools.pairwise(cuts)]
    return [2 * cuts[0] - 2, *inside, 2 * cuts[-1] + 2]
