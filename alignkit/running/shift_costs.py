"""The cost of each shift of one aligned run, and their sum in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from alignkit.interpreting.values import Coordinate
from alignkit.running.binding import exactly
from alignkit.running.replaying import DrawnNoise, Run

# If there are more summands than this, those of each draw are added up.
_MOST_SUMMANDS = 6

Costs = Sequence[tuple[Coordinate, Any]]
"""Every coordinate that was drawn, with what its shift costs."""


def costs_of_shifts(run: Run, shifts: Mapping[Coordinate, Any], run_: Run | None = None) -> Costs:
    """The cost of each coordinate's shift, in the order of the draws; exact where the noise and the shift are.

    Where the run on D′ is given, the weights of its choices are taken from it.
    """
    on_d_prime = {d.where: d.arguments for d in run_.drawn} if run_ is not None else {}

    def cost(d: DrawnNoise) -> Any:
        own, other = (tuple(map(exactly, a)) for a in (d.arguments, on_d_prime.get(d.where, d.arguments)))
        return d.distribution.cost_at(exactly(d.value), shifts[d.where], *own, on_d_prime=other)

    return [(d.where, cost(d)) for d in run.drawn]


def is_least(run: Run, shifts: Mapping[Coordinate, Any]) -> bool:
    """Whether the cost of some shift is only a lower bound: its distribution bounds the cost in the other direction."""
    return any(d.distribution.upward and shifts[d.where] < 0 for d in run.drawn)


def total_cost(costs: Costs) -> Any:
    """What all shifts cost together."""
    return sum((cost for _, cost in costs), Fraction(0))


def dearest(costs: Costs) -> str | None:
    """The name of the draw whose shifts cost most together; None where none costs more than 0.

    >>> dearest([(Coordinate("eta"), Fraction(1, 2)), (Coordinate("xi", (0,)), 1), (Coordinate("xi", (1,)), 1)])
    'xi'
    """
    totals = {name: cost for name, (cost, _) in _by_name(costs).items() if cost > 0}
    return max(totals, key=totals.__getitem__, default=None)


def in_words(costs: Costs, claim: Any, *, at_least: bool = False) -> str:
    """The sum, draw by draw, against the claim that it exceeds; draws whose shifts cost nothing are left out.

    With ``at_least`` the shifts cost that or more.

    >>> half = Fraction(1, 2)
    >>> in_words([(Coordinate("rho"), half), (Coordinate("nu", (0,)), half), (Coordinate("xi"), 1)], 1)
    'the shifts cost 1/2 (rho) + 1/2 (nu[0]) + 1 (xi) = 2, more than the claim 1'
    >>> in_words([(Coordinate("nu", (i,)), half) for i in range(8)], 3)
    'the shifts cost 4 (nu, 8 draws) = 4, more than the claim 3'
    >>> in_words([(Coordinate("rho"), 2), (Coordinate("xi"), 0)], 1)
    'the shift of rho costs 2, more than the claim 1'
    >>> in_words([(Coordinate("rho"), Fraction(5, 3))], 1, at_least=True)
    'the shift of rho costs at least 5/3, more than the claim 1'
    """
    least = "at least " if at_least else ""
    summands = [(str(where), cost, 1) for where, cost in costs if cost]
    if len(summands) > _MOST_SUMMANDS:
        summands = [(name, cost, number) for name, (cost, number) in _by_name(costs).items() if cost]
    more = f"more than the claim {claim}"
    if len(summands) == 1 and summands[0][2] == 1:
        return f"the shift of {summands[0][0]} costs {least}{total_cost(costs)}, {more}"
    terms = "".join(_summand(*summand, first=i == 0) for i, summand in enumerate(summands))
    return f"the shifts cost {least}{f'{terms} = ' if terms else ''}{total_cost(costs)}, {more}"


def _summand(label: str, cost: Any, number: int, *, first: bool) -> str:
    sign = ("-" if cost < 0 else "") if first else (" - " if cost < 0 else " + ")
    return f"{sign}{abs(cost)} ({label}{f', {number} draws' if number > 1 else ''})"


def _by_name(costs: Costs) -> dict[str, tuple[Any, int]]:
    """What the shifts of each draw cost together, and how many of them cost something."""
    totals: dict[str, tuple[Any, int]] = {}
    for where, cost in costs:
        so_far, number = totals.get(where.key, (Fraction(0), 0))
        totals[where.key] = (so_far + cost, number + bool(cost))
    return totals
