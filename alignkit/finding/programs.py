"""The linear program: coefficients of a shape that meet the demands of all pairs at the least cost.

The coefficients of noise on a lattice are whole numbers, so that what it moves by is on the lattice again.

Demands of few runs that no alignment of a shape can meet together: why nothing is found.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import Demand, Drawn, PairedRun
from alignkit.finding.shapes import DELTA, DOWN, UP, Coefficient, Linear, Shape
from alignkit.formatting import value_shown

# A coefficient of Δ is a little dearer than one of a change, so that of two alignments of one cost the one is taken
# that moves noise by as much as the answers change.
_PREFERENCE = {DELTA: 1.02, UP: 1.01, DOWN: 1.011}

# How far the second program may leave the least cost.
_ROOM = 1e-7

# Coefficients are rational numbers of small denominators.
_LARGEST_DENOMINATOR = 24

Number = Fraction | float
Row = Mapping[Any, Number]
"""A linear form: the factor of each variable."""


@dataclass
class LinearProgram:
    """Rows of a linear program over variables that are known by any key.

    All but the ``free`` variables are at least 0; the ``whole`` ones are whole numbers. Rows and columns stand in the
    order in which they were added, and never in that of a set: of several optima the solver takes one by this order.
    """

    columns: dict[Hashable, int] = field(default_factory=dict)
    free: set[Hashable] = field(default_factory=set)
    whole: set[Hashable] = field(default_factory=set)
    rows: dict[
        tuple[frozenset[tuple[Hashable, Number]], Number | None, Number | None], tuple[tuple[Hashable, Number], ...]
    ] = field(default_factory=dict)

    def add(self, row: Row, low: Number | None, high: Number | None = None) -> None:
        """Demand low <= row <= high."""
        kept = tuple((key, factor) for key, factor in row.items() if factor)
        for key, _ in kept:
            self.columns.setdefault(key, len(self.columns))
        self.rows.setdefault((frozenset(kept), low, high), kept)

    def least(self, objective: Row) -> dict[Hashable, float] | None:
        """Values at which the objective is least; None where no values meet all rows."""
        solver = self._solved(objective)
        if solver is None:
            return None
        values = solver.getSolution().col_value
        return {key: values[column] for key, column in self.columns.items()}

    def multipliers(self, objective: Row) -> list[float]:
        """The multiplier of each row where the objective is least; empty where no values meet all rows."""
        solver = self._solved(objective)
        return [] if solver is None else list(solver.getSolution().row_dual)

    def _solved(self, objective: Row) -> Any:
        """The solver of HiGHS at an optimum; None where there is none."""
        import highspy
        import numpy as np

        for key in objective:
            self.columns.setdefault(key, len(self.columns))
        infinity = highspy.kHighsInf
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = len(self.columns), len(self.rows)
        cost = np.zeros(len(self.columns))
        for key, factor in objective.items():
            cost[self.columns[key]] = factor
        program.col_cost_ = cost
        program.col_lower_ = np.array([-infinity if key in self.free else 0.0 for key in self.columns])
        program.col_upper_ = np.full(len(self.columns), infinity)
        program.row_lower_ = np.array([-infinity if low is None else float(low) for _, low, _ in self.rows])
        program.row_upper_ = np.array([infinity if high is None else float(high) for _, _, high in self.rows])
        starts, positions, factors = [0], [], []
        for kept in self.rows.values():
            for key, factor in kept:
                positions.append(self.columns[key])
                factors.append(float(factor))
            starts.append(len(positions))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.array(starts)
        program.a_matrix_.index_ = np.array(positions)
        program.a_matrix_.value_ = np.array(factors)
        if self.whole:
            kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
            program.integrality_ = [kinds[key in self.whole] for key in self.columns]
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.passModel(program)
        solver.run()
        return solver if solver.getModelStatus() == highspy.HighsModelStatus.kOptimal else None


@dataclass(frozen=True)
class Solution:
    """A shape with its coefficients."""

    shape: Shape
    coefficients: Mapping[Coefficient, Fraction]


def cheapest_solution(shape: Shape, pairs: Sequence[tuple[int, PairedRun]]) -> Solution | None:
    """The cheapest coefficients for pairs, each with the number of its setting; None where there are none."""
    if shape.raised:
        moving = {term: Fraction(1) for _, pair in pairs for d in pair.drawn for term, _ in shape.terms(pair, d)}
        return Solution(shape, moving)
    program = LinearProgram()
    terms: dict[Coefficient, None] = {}
    for setting, pair in pairs:
        moved = shape.shifts(pair)
        for linear in moved.values():
            terms |= dict.fromkeys(linear)
        for demand in pair.demands:
            program.add(shifts_in(demand, moved), demand.bound, demand.bound if demand.equal else None)
        cost: dict[Hashable, Fraction] = {}
        for drawn in pair.drawn:
            linear = moved[str(drawn.where)]
            if not linear:
                continue
            if not drawn.distribution.support.continuous:
                program.whole.update(linear)
            size = ("size", drawn.where.key, frozenset(linear.items()))
            program.add({size: 1, **{term: -value for term, value in linear.items()}}, 0)
            if shape.keeps_up(drawn):
                program.add(linear, 0)
            else:
                program.add({size: 1, **linear}, 0)
            cost[size] = cost.get(size, Fraction(0)) + rate(drawn)
        program.add({("cost", setting): 1, **{size: -factor for size, factor in cost.items()}}, 0)
    for draw, share in shape.given.items():
        program.add({(draw, (), DELTA): 1}, share, share)
    program.free |= terms.keys()
    costs = {("cost", setting): 1 for setting, _ in pairs}
    best = program.least(costs)
    if best is None:
        return None
    for key in costs:
        program.add({key: 1}, None, best.get(key, 0.0) + _ROOM)
    for term in terms:
        program.add({("absolute", term): 1, term: 1}, 0)
        program.add({("absolute", term): 1, term: -1}, 0)
    second = program.least({("absolute", term): _PREFERENCE.get(term[2], 1) for term in terms}) or best
    coefficients = {
        term: Fraction(second[term]).limit_denominator(_LARGEST_DENOMINATOR) for term in terms if term in second
    }
    return Solution(shape, coefficients)


def shifts_in(demand: Demand, moved: Mapping[str, Linear]) -> Linear:
    """What a demand asks to be at least its bound, as a linear form in the coefficients."""
    row: Linear = {}
    for name, factor in demand.factors.items():
        for term, value in moved.get(name, {}).items():
            row[term] = row.get(term, Fraction(0)) + factor * value
    return row


def rate(drawn: Drawn) -> Fraction:
    """What a shift by 1 upwards costs."""
    step = Fraction(1) if drawn.distribution.support.continuous else drawn.arguments[-1]
    return Fraction(drawn.distribution.cost(step, *drawn.arguments)) / step


def shift_values(
    shape: Shape, coefficients: Mapping[Coefficient, Fraction], pair: PairedRun
) -> dict[str, Fraction]:
    """The shift of each draw of a pair."""
    return {
        name: sum((coefficients.get(t, Fraction(0)) * v for t, v in linear.items()), Fraction(0))
        for name, linear in shape.shifts(pair).items()
    }


def exact_cost(shape: Shape, coefficients: Mapping[Coefficient, Fraction], pair: PairedRun) -> Fraction:
    """What the shifts of a pair cost."""
    shifts = shift_values(shape, coefficients, pair)
    return sum((abs(shifts[str(drawn.where)]) * rate(drawn) for drawn in pair.drawn), Fraction(0))


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
