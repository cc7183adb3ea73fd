"""Integrals between bounds that depend affinely on another variable, as functions of that variable."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence

from alignkit.arithmetic import exponential_pieces as piece
from alignkit.arithmetic.exponential_pieces import Number, Piece, rational_quotient
from alignkit.arithmetic.piecewise import Affine, Piecewise


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
