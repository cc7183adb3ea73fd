"""The linear program: coefficients of a shape that meet the demands of all pairs at the least cost.

The coefficients of noise on a lattice are whole numbers, so that what it moves by is on the lattice again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from alignkit.finding.paired_runs import Demand, Drawn, PairedRun
from alignkit.finding.shapes import DELTA, DOWN, UP, Coefficient, Linear, Shape

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
            if drawn.distribution.support.one_sided or drawn.distribution.upward:
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
