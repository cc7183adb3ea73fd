"""Multipliers that bound the cost of every alignment of a shape from below, found in floats and verified exactly.

Runs have weights w that add up to 1. Each draw j of a run r has a share p with |p| <= w, so that its cost, its rate
times |s|, weighed by w, is at least rate · p · s. Where these sums of shifts are, coefficient by coefficient, the same
as a sum of demands with factors y, the dearest run costs at least the sum of the demands' bounds with these factors.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from alignkit.finding.bounds.forced_demands import ForcedRun, LinearForm
from alignkit.finding.bounds.parametric_numbers import Number, PublicNumber, sign_of
from alignkit.finding.bounds.public_runs import sum_of
from alignkit.finding.programs import LinearProgram

# Multipliers below this are taken to be 0, and shares nearer than this to the weight to be at it.
_NEAR = 1e-6

# Multipliers that the equations leave open are rational numbers of small denominators.
_LARGEST_DENOMINATOR = 360

Key = tuple[str, int, int]
"""A multiplier: ("weight", run, 0), ("share", run, draw) or ("demand", run, demand)."""


def _weight(run: int) -> Key:
    return ("weight", run, 0)


@dataclass(frozen=True)
class Multipliers:
    """Multipliers that an optimum in floats suggests."""

    values: Mapping[Key, float]
    bound: float

    @property
    def runs(self) -> list[int]:
        """The runs that have a multiplier other than 0."""
        return sorted({key[1] for key, value in self.values.items() if abs(value) > _NEAR})


def best_multipliers(runs: Sequence[ForcedRun]) -> Multipliers | None:
    """The multipliers with the largest bound, for runs on numbers; None where there are none."""
    program = LinearProgram()
    program.add({_weight(r): 1 for r in range(len(runs))}, 1, 1)
    balance: dict[Hashable, dict[Key, Fraction]] = {}
    objective: dict[Key, Fraction] = {}
    for r, run in enumerate(runs):
        for j, moved in enumerate(run.moved):
            share = ("share", r, j)
            program.free.add(share)
            program.add({share: 1, _weight(r): -1}, None, 0)
            if not moved.upward:
                program.add({share: 1, _weight(r): 1}, 0)
            for term, value in moved.shift.items():
                balance.setdefault(term, {})[share] = moved.rate * value
        for i, demand in enumerate(run.demands):
            key = ("demand", r, i)
            if demand.equal:
                program.free.add(key)
            for term, value in demand.form.items():
                balance.setdefault(term, {})[key] = -value
            objective[key] = -demand.bound
    for row in balance.values():
        program.add(row, 0, 0)
    values = program.least(objective)
    if values is None:
        return None
    known = {key: value for key, value in values.items() if isinstance(key, tuple)}
    return Multipliers(known, sum(-float(b) * values.get(key, 0.0) for key, b in objective.items()))


def certified_bound(runs: Mapping[int, ForcedRun], suggested: Multipliers) -> Number | None:
    """The bound that exact multipliers show, near the suggested ones; None where they show none.

    ``runs`` are those of the suggested multipliers, on numbers that may depend on the public parameters.
    """
    unknowns, shares = _unknowns(runs, suggested)
    exact = _solved(list(_equations(runs, unknowns, shares)), unknowns, suggested)
    if exact is None:
        return None
    for run, draw in shares:
        side = shares[run, draw]
        exact["share", run, draw] = side * exact.get(_weight(run), Fraction(0))
    return _bound(runs, exact)


def _unknowns(
    runs: Mapping[int, ForcedRun], suggested: Multipliers
) -> tuple[list[Key], dict[tuple[int, int], int]]:
    """The multipliers to solve for, and the draws whose share is the weight, 1, or minus the weight, -1."""
    value = suggested.values
    unknowns: list[Key] = []
    sides: dict[tuple[int, int], int] = {}
    for r, run in runs.items():
        weight = value.get(_weight(r), 0.0)
        if weight > _NEAR:
            unknowns.append(_weight(r))
        for j, moved in enumerate(run.moved):
            share = value.get(("share", r, j), 0.0)
            if weight > _NEAR and share > weight - _NEAR:
                sides[r, j] = 1
            elif weight > _NEAR and not moved.upward and share < _NEAR - weight:
                sides[r, j] = -1
            elif abs(share) > _NEAR:
                unknowns.append(("share", r, j))
        unknowns += [("demand", r, i) for i in range(len(run.demands)) if abs(value.get(("demand", r, i), 0.0)) > _NEAR]
    return unknowns, sides


def _equations(
    runs: Mapping[int, ForcedRun], unknowns: Sequence[Key], sides: Mapping[tuple[int, int], int]
) -> Iterator[tuple[dict[Key, Number], Number]]:
    """Equations in the unknowns, each with its right side."""
    known = set(unknowns)
    yield {key: Fraction(1) for key in unknowns if key[0] == "weight"}, Fraction(1)
    balance: dict[Hashable, dict[Key, Number]] = {}
    for r, run in runs.items():
        for j, moved in enumerate(run.moved):
            key, factor = ("share", r, j), Fraction(1)
            if (r, j) in sides:
                key, factor = _weight(r), Fraction(sides[r, j])
            if key not in known:
                continue
            for term, value in moved.shift.items():
                row = balance.setdefault(term, {})
                row[key] = row.get(key, Fraction(0)) + factor * moved.rate * value
        for i, demand in enumerate(run.demands):
            if ("demand", r, i) in known:
                for term, value in demand.form.items():
                    balance.setdefault(term, {})[("demand", r, i)] = -value
    for row in balance.values():
        yield row, Fraction(0)


def _solved(
    equations: list[tuple[dict[Key, Number], Number]], unknowns: Sequence[Key], suggested: Multipliers
) -> dict[Key, Number] | None:
    """A solution of linear equations near the suggested one; None where there is none."""
    pivots: list[tuple[Key, dict[Key, Number], Number]] = []
    for row, right in equations:
        left = {key: value for key, value in row.items() if value != 0}
        for key, other, other_right in pivots:
            factor = left.pop(key, None)
            if factor is not None:
                right = right - factor * other_right
                for name, value in other.items():
                    left[name] = left.get(name, Fraction(0)) - factor * value
        left = {key: value for key, value in left.items() if value != 0}
        if not left:
            if right != 0:
                return None
            continue
        # The largest suggested value first, so that what is left open are those that matter least.
        pivot = max(left, key=lambda key: (not isinstance(left[key], PublicNumber), abs(suggested.values[key])))
        factor = left.pop(pivot)
        sign_of(factor)  # raises where the factor may be 0 at some parameters
        pivots.append((pivot, {key: value / factor for key, value in left.items()}, right / factor))
    chosen = {key for key, _, _ in pivots}
    solution: dict[Key, Number] = {
        key: Fraction(suggested.values[key]).limit_denominator(_LARGEST_DENOMINATOR)
        for key in unknowns
        if key not in chosen
    }
    for key, row, right in reversed(pivots):
        solution[key] = right - sum_of(value * solution[name] for name, value in row.items())
    return solution


def _bound(runs: Mapping[int, ForcedRun], exact: Mapping[Key, Number]) -> Number | None:
    """The bound that multipliers show; None where one of them has the wrong sign, or the sums differ."""
    zero = Fraction(0)
    if sum_of(exact.get(_weight(r), zero) for r in runs) != 1:
        return None
    total: LinearForm = {}
    bound: Number = zero
    for r, run in runs.items():
        weight = exact.get(_weight(r), zero)
        if sign_of(weight) < 0:
            return None
        for j, moved in enumerate(run.moved):
            share = exact.get(("share", r, j), zero)
            if sign_of(weight - share) < 0 or (not moved.upward and sign_of(weight + share) < 0):
                return None
            if sign_of(moved.rate) <= 0:
                return None
            for term, value in moved.shift.items():
                total[term] = total.get(term, zero) + moved.rate * share * value
        for i, demand in enumerate(run.demands):
            factor = exact.get(("demand", r, i), zero)
            if not demand.equal and sign_of(factor) < 0:
                return None
            for term, value in demand.form.items():
                total[term] = total.get(term, zero) - factor * value
            bound = bound + factor * demand.bound
    return bound if all(value == 0 for value in total.values()) else None
