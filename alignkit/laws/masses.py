"""The probability that the noise is as a path says, as a rational function of the bases.

A draw that meets no other has an interval, whose mass is a difference of two geometric tails. Draws that meet in pairs
with one of them, the hub, are summed over the hub's line: near 0 value by value; far out the interval of each other
draw has ends that are linear in the hub, so that what is summed is a sum of geometric sequences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from alignkit.arithmetic.affine import Form
from alignkit.arithmetic.rational_functions import RationalFunction, add_all
from alignkit.errors import Unsupported
from alignkit.laws.lattice_paths import IntegerInterval, LatticeDraw, LatticePath

# The hub's line is summed value by value as far as this from 0 at most.
FARTHEST = 2000

# slope * hub + offset
Line = tuple[int, int]

# A sum of coefficient * step^s.
Sequence = list[tuple[RationalFunction, RationalFunction]]


def path_probability(path: LatticePath) -> RationalFunction:
    """The probability of a path."""
    result = path.one if path.chosen is None else path.chosen
    waiting = set(path.draws)
    for hub, leaves in _stars(path):
        waiting -= {hub, *leaves}
        result = result * _star(path, hub, leaves)
    for name in sorted(waiting):
        result = result * mass(path.draws[name], path.range(name))
    return result


def mass(draw: LatticeDraw, where: IntegerInterval) -> RationalFunction:
    """P(low <= draw <= high).

    With r the step, P(x >= a) is r^a for a one-sided draw and a >= 0; for a two-sided one it is r^a / (1 + r)
    for a >= 0, and 1 - r^(1-a) / (1 + r) for a <= 0, by symmetry.
    """
    if where not in draw.masses:
        draw.masses[where] = _mass(draw, where)
    return draw.masses[where]


def _mass(draw: LatticeDraw, where: IntegerInterval) -> RationalFunction:
    if where.low is not None and where.low == where.high:
        return _point(draw, where.low)
    if where.count is not None and where.count <= 0:
        return draw.step.lift(0)
    at_least_low = draw.step.lift(1) if where.low is None else _upper(draw, where.low)
    return at_least_low if where.high is None else at_least_low - _upper(draw, where.high + 1)


def _point(draw: LatticeDraw, x: int) -> RationalFunction:
    if draw.one_sided and x < 0:
        return draw.step.lift(0)
    ends = (1 - draw.step) * draw.step.power(abs(x))
    return ends if draw.one_sided else ends / (1 + draw.step)


def _upper(draw: LatticeDraw, a: int) -> RationalFunction:
    step = draw.step
    if draw.one_sided:
        return step.power(max(a, 0))
    return step.power(a) / (1 + step) if a >= 0 else 1 - step.power(1 - a) / (1 + step)


@dataclass(frozen=True)
class _Leaf:
    """A draw that meets the hub: the lines at or above which it lies, and those at or below."""

    draw: LatticeDraw
    lows: tuple[Line, ...]
    highs: tuple[Line, ...]

    def between(self, hub: int) -> IntegerInterval:
        low = max((a * hub + c for a, c in self.lows), default=None)
        high = min((a * hub + c for a, c in self.highs), default=None)
        return IntegerInterval(low, high)

    def turns(self) -> Iterator[int]:
        """Distances of the hub from 0 beyond which no two ends change places, and no end changes its sign."""
        lines = [*self.lows, *self.highs, *((a, c + 1) for a, c in self.highs), (0, 0), (0, 1), (0, -1)]
        for a, c in lines:
            for b, d in lines:
                if a != b:
                    yield ceil(abs(Fraction(d - c, a - b))) + 1

    def far(self, hub: int, way: int) -> Sequence:
        """The mass as the hub is ``hub + way * s``, s = 0, 1, …, beyond all turns."""
        where = self.between(hub)
        if where.count is not None and where.count <= 0:
            return []
        if where.low is None:
            upper = [(self.draw.step.lift(1), self.draw.step.lift(1))]
        else:
            upper = self._tail(max(self.lows, key=lambda line: line[0] * hub + line[1]), hub, way)
        if where.high is None:
            return upper
        a, c = min(self.highs, key=lambda line: line[0] * hub + line[1])
        return upper + [(-x, step) for x, step in self._tail((a, c + 1), hub, way)]

    def _tail(self, line: Line, hub: int, way: int) -> Sequence:
        """P(draw >= slope * hub + offset)."""
        step, one = self.draw.step, self.draw.step.lift(1)
        start, slope = line[0] * hub + line[1], line[0] * way
        if self.draw.one_sided:
            return [(step.power(start), step.power(slope))] if start >= 0 else [(one, one)]
        if start >= 0:
            return [(step.power(start) / (1 + step), step.power(slope))]
        return [(one, one), (-step.power(1 - start) / (1 + step), step.power(-slope))]


def _stars(path: LatticePath) -> Iterator[tuple[str, dict[str, _Leaf]]]:
    """The draws that meet, by the hub that each meeting involves."""
    meetings = {form: where for form, where in path.intervals.items() if len(form) > 1}
    while meetings:
        names = {name for name, _ in next(iter(meetings))}
        together: dict[Form, IntegerInterval] = {}
        grown = True
        while grown:
            joined = {f: w for f, w in meetings.items() if names & {name for name, _ in f}}
            grown = len(joined) > len(together)
            together = joined
            names |= {name for form in joined for name, _ in form}
        for form in together:
            del meetings[form]
        for hub in sorted(names):
            leaves = _leaves(path, hub, together)
            if leaves is not None:
                yield hub, leaves
                break
        else:
            draws = ", ".join(sorted(names))
            raise Unsupported(f"the draws {draws} are compared jointly, not each with a common one of them")


def _leaves(path: LatticePath, hub: str, meetings: dict[Form, IntegerInterval]) -> dict[str, _Leaf] | None:
    lows: dict[str, list[Line]] = {}
    highs: dict[str, list[Line]] = {}
    others = []
    for form, where in meetings.items():
        factors = dict(form)
        slope = factors.pop(hub, None)
        if slope is None:
            others.append((form, where))
            continue
        if len(factors) != 1:
            return None
        ((name, factor),) = factors.items()
        if abs(factor) != 1:
            return None
        below, above = lows.setdefault(name, []), highs.setdefault(name, [])
        if factor < 0:
            below, above = above, below
        # factor * leaf + slope * hub >= low, and <= high
        if where.low is not None:
            below.append((-slope * factor, where.low * factor))
        if where.high is not None:
            above.append((-slope * factor, where.high * factor))
    if not all(_follows(form, where, lows, highs) for form, where in others):
        return None
    leaves = {}
    for name in lows:
        own = path.range(name)
        bottom = [] if own.low is None else [(0, own.low)]
        top = [] if own.high is None else [(0, own.high)]
        leaves[name] = _Leaf(path.draws[name], (*lows[name], *bottom), (*highs[name], *top))
    return leaves


def _follows(form: Form, where: IntegerInterval, lows: dict[str, list[Line]], highs: dict[str, list[Line]]) -> bool:
    """Whether what is known of two leaves' difference follows from where each lies beside the hub.

    "Each selected one beats every other" follows where the last selected does, and the others beat that.
    """
    factors = dict(form)
    if sorted(factors.values()) != [-1, 1] or not all(name in lows for name in factors):
        return False
    (one, _), (other, _) = sorted(form, key=lambda part: -part[1])

    def farthest(name: str, ends: dict[str, list[Line]], sign: int) -> int | None:
        """The closest end of those that move as the hub does."""
        return min((sign * offset for slope, offset in ends[name] if slope == 1), default=None)

    top, bottom = farthest(one, highs, 1), farthest(other, lows, -1)
    if where.high is not None and (top is None or bottom is None or top + bottom > where.high):
        return False
    top, bottom = farthest(other, highs, 1), farthest(one, lows, -1)
    return where.low is None or (top is not None and bottom is not None and -(top + bottom) >= where.low)


def _star(path: LatticePath, hub: str, leaves: dict[str, _Leaf]) -> RationalFunction:
    draw, where = path.draws[hub], path.range(hub)
    turns = [turn for leaf in leaves.values() for turn in leaf.turns()]
    reach = max([1, *turns, *(abs(end) for end in (where.low, where.high) if end is not None)])
    if reach > FARTHEST:
        raise Unsupported(f"noise that is compared jointly is summed value by value up to {FARTHEST} steps from 0")
    first = -reach if where.low is None else where.low
    last = reach if where.high is None else where.high
    terms = [path.one.lift(0)]
    for x in range(first, last + 1):
        term = mass(draw, IntegerInterval(x, x))
        for leaf in leaves.values():
            term = term * mass(leaf.draw, leaf.between(x))
        terms.append(term)
    for way, open_ in ((1, where.high is None), (-1, where.low is None)):
        if open_:
            terms.append(_far(draw, leaves, way, reach + 1))
    return add_all(terms)


def _far(draw: LatticeDraw, leaves: dict[str, _Leaf], way: int, distance: int) -> RationalFunction:
    """The sum over the hub at ``way * distance`` and beyond."""
    products: Sequence = [(_point(draw, way * distance), draw.step)]
    for leaf in leaves.values():
        sequence = leaf.far(way * distance, way)
        products = [(x * y, step * other) for x, step in products for y, other in sequence]
    return add_all([x / (1 - step) for x, step in products] or [draw.step.lift(0)])
