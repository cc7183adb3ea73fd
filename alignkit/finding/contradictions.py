"""Demands of few runs that no alignment of a shape can meet together: why nothing is found."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import Demand, PairedRun
from alignkit.finding.programs import LinearProgram, shifts_in
from alignkit.finding.shapes import Linear, Shape
from alignkit.formatting import value_shown

# Slacks above this are not rounding.
_ROUNDING = 1e-6


@dataclass(frozen=True)
class ForcedStep:
    """What one pair of runs asks of the shifts, in words, and the inputs that ask it."""

    line: int
    code: str
    words: str
    asked: str
    inputs: str

    def __str__(self) -> str:
        return f"line {self.line}, `{self.code}`: {self.words}, so {self.asked}\n    where {self.inputs}"


@dataclass(frozen=True)
class Contradiction:
    """Demands that contradict one another, none of which can be left out."""

    shape: str
    steps: tuple[ForcedStep, ...]

    def lines(self) -> list[str]:
        """The contradiction as text."""
        head = f"no shifts of the shape {self.shape!r} do all of this, where D' goes the same way as D:"
        return [head, *(f"  {line}" for step in self.steps for line in str(step).splitlines())]


@dataclass(frozen=True)
class _Row:
    linear: Linear
    demand: Demand
    pair: PairedRun


def contradiction(shape: Shape, pairs: Sequence[tuple[int, PairedRun]]) -> Contradiction | None:
    """A smallest set of demands that contradict one another at one setting, checked exactly; None where none shows."""
    for number in dict.fromkeys(number for number, _ in pairs):
        rows = _rows(shape, [pair for other, pair in pairs if other == number and pair.strict])
        chosen = _irreducible(rows)
        if chosen and _contradict(chosen):
            return Contradiction(shape.name, tuple(_step(shape, row) for row in chosen))
    return None


def _rows(shape: Shape, pairs: Sequence[PairedRun]) -> list[_Row]:
    found: dict[Hashable, _Row] = {}
    for pair in pairs:
        moved = shape.shifts(pair)
        for demand in pair.demands:
            linear = {term: factor for term, factor in shifts_in(demand, moved).items() if factor}
            key = (frozenset(linear.items()), demand.bound, demand.equal)
            if linear or demand.bound > 0 or (demand.equal and demand.bound):
                found.setdefault(key, _Row(linear, demand, pair))
        for drawn in pair.drawn:
            if drawn.distribution.support.one_sided or drawn.distribution.upward:
                linear = {term: factor for term, factor in moved[str(drawn.where)].items() if factor}
                words = "this noise is never below 0"
                support = Demand({str(drawn.where): Fraction(1)}, Fraction(0), words, drawn.place, "stays above 0")
                found.setdefault((frozenset(linear.items()), Fraction(0), False), _Row(linear, support, pair))
    return list(found.values())


def _irreducible(rows: Sequence[_Row]) -> list[_Row]:
    """Rows that cannot be met together, while all but any one of them can; empty if all rows can be met."""
    program = LinearProgram()
    for number, row in enumerate(rows):
        program.free |= set(row.linear)
        slack: dict[Any, Fraction] = {**row.linear, ("short", number): Fraction(1)}
        if row.demand.equal:
            slack["over", number] = Fraction(-1)
        program.add(slack, row.demand.bound, row.demand.bound if row.demand.equal else None)
    slacks = [key for key in program.columns if key not in program.free]
    multipliers = program.multipliers(dict.fromkeys(slacks, 1))
    if len(multipliers) != len(rows):  # the solver gave up
        return []
    chosen = [row for row, multiplier in zip(rows, multipliers, strict=True) if abs(multiplier) > _ROUNDING]
    if _can_be_met(chosen):
        return []
    for row in list(chosen):
        rest = [other for other in chosen if other is not row]
        if not _can_be_met(rest):
            chosen = rest
    return chosen


def _can_be_met(rows: Sequence[_Row]) -> bool:
    program = LinearProgram()
    for row in rows:
        if not row.linear:
            return False
        program.free |= set(row.linear)
        program.add(row.linear, row.demand.bound, row.demand.bound if row.demand.equal else None)
    return not rows or program.least({}) is not None


def _contradict(rows: Sequence[_Row]) -> bool:
    """Whether a sum of the rows with exact multipliers reads 0 >= a number above 0."""
    multipliers = _null_vector([row.linear for row in rows])
    if multipliers is None:
        return False
    total = sum((m * row.demand.bound for m, row in zip(multipliers, rows, strict=True)), Fraction(0))
    sign = 1 if total > 0 else -1
    allowed = all(row.demand.equal or sign * m >= 0 for m, row in zip(multipliers, rows, strict=True))
    return bool(total) and allowed


def _null_vector(rows: Sequence[Linear]) -> list[Fraction] | None:
    """Factors, not all 0, with which the rows add up to nothing; None unless they are unique but for their size."""
    terms = sorted({term for row in rows for term in row})
    equations = [[row.get(term, Fraction(0)) for row in rows] for term in terms]
    pivots: list[int] = []
    for column in range(len(rows)):
        at = len(pivots)
        lead = next((i for i in range(at, len(equations)) if equations[i][column]), None)
        if lead is None:
            continue
        equations[at], equations[lead] = equations[lead], equations[at]
        equations[at] = [x / equations[at][column] for x in equations[at]]
        for i in range(len(equations)):
            if i != at and equations[i][column]:
                factor = equations[i][column]
                equations[i] = [x - factor * y for x, y in zip(equations[i], equations[at], strict=True)]
        pivots.append(column)
    free = [column for column in range(len(rows)) if column not in pivots]
    if len(free) != 1:
        return None
    vector = [Fraction(0)] * len(rows)
    vector[free[0]] = Fraction(1)
    for row, column in enumerate(pivots):
        vector[column] = -equations[row][free[0]]
    return vector


def _step(shape: Shape, row: _Row) -> ForcedStep:
    demand, pair = row.demand, row.pair
    moved = {str(drawn.where) for drawn in pair.drawn if shape.terms(pair, drawn)}
    factors = {name: factor for name, factor in demand.factors.items() if name in moved}
    held = [name for name in demand.factors if name not in moved]
    relation, bound = "=" if demand.equal else ">=", demand.bound
    if factors and all(factor < 0 for factor in factors.values()):
        factors, bound = {name: -factor for name, factor in factors.items()}, -bound
        relation = "=" if demand.equal else "<="
    form = " + ".join(f"shift({name})" if f == 1 else f"{f} * shift({name})" for name, f in factors.items())
    asked = f"{form.replace('+ -1 *', '-').replace('+ -', '- ')} {relation} {bound}"
    if not factors:
        asked = "noise would have to move that keeps still"
    if held:
        asked += f" ({' and '.join(held)} {'do' if len(held) > 1 else 'does'} not move here)"
    values = {**pair.witness.public}
    for name, value in pair.witness.q.items():
        values |= {name: value, f"{name}_": pair.witness.values_[name]}
    inputs = ", ".join(f"{name} = {value_shown(value)}" for name, value in values.items())
    return ForcedStep(demand.place.line, demand.code, demand.words, asked, inputs)
