"""The exponential mechanism as a black box, and a gap drawn beside it (Algorithm 8 of the VLDB Journal paper).

Plain functions, and not mechanisms that are checked: the gap comes from a loop that runs until it is positive, which
the language does not have. docs/theory/exponential-mechanism.md shows the law to be that of the naive Algorithm 7,
which is proved private. Floating point: for experiments, not for release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from alignkit.errors import InputError

# Selects an outcome: from utilities, their sensitivity, the budget and a generator.
Select = Callable[[Sequence[float], float, float, np.random.Generator], int]


@dataclass(frozen=True)
class Selected:
    """An outcome with its gap, in units of 2 delta / eps, and how often a gap was drawn.

    ``rounds`` is not part of the output: it is not private, and neither is the time that it takes.
    """

    outcome: int
    gap: float
    rounds: int


def select_outcome(u: Sequence[float], delta: float, eps: float, rng: np.random.Generator) -> int:
    """The exponential mechanism (Theorem 5): outcome i with probability proportional to exp(eps u_i / (2 delta)).

    >>> select_outcome([0, 5000], 1, 1, np.random.default_rng(1))
    1
    """
    weights = _scaled(u, delta, eps)
    chances = np.exp(weights - weights.max())
    return int(rng.choice(len(chances), p=chances / chances.sum()))


def location(u: Sequence[float], outcome: int, delta: float, eps: float) -> float:
    """Where Theorem 7 has the logistic distribution: x_s - ln(sum of exp(x_i), i != s) with x_i = eps u_i / (2 delta).

    >>> location([3, 1], 0, 1, 1)
    1.0
    """
    x = _scaled(u, delta, eps)
    others = np.delete(x, outcome)
    largest = others.max()
    return float(x[outcome] - largest - math.log(np.exp(others - largest).sum()))


def location_as_printed(u: Sequence[float], outcome: int, delta: float, eps: float) -> float:
    """The location on line 4 of Algorithm 8, which is without eps: right for eps = 1 only.

    >>> location_as_printed([3, 1], 0, 1, 2), location([3, 1], 0, 1, 2)
    (1.0, 2.0)
    """
    return location(u, outcome, delta, 1)


def black_box_gap(
    u: Sequence[float],
    delta: float,
    eps: float,
    rng: np.random.Generator,
    select: Select = select_outcome,
    at: Callable[[Sequence[float], int, float, float], float] = location,
) -> Selected:
    """Algorithm 8: select, then draw from the logistic distribution until the draw is positive.

    It ends with probability 1; given the outcome, in 1 / P(outcome) rounds on average, and over all outcomes in as many
    rounds as there are outcomes. ``at=location_as_printed`` is the algorithm as printed.
    Raises InputError for fewer than two utilities, or where delta or eps is not above 0.

    >>> black_box_gap([0, 50], 1, 1, np.random.default_rng(1)).outcome
    1
    """
    _check(u, delta, eps)
    outcome = select(u, delta, eps, rng)
    centre = at(u, outcome, delta, eps)
    rounds = 1
    while not (gap := rng.logistic(centre)) > 0:
        rounds += 1
    return Selected(outcome, float(gap), rounds)


def gap_without_loop(u: Sequence[float], delta: float, eps: float, rng: np.random.Generator,
                     select: Select = select_outcome) -> Selected:  # fmt: skip
    """The same law with one draw of the gap, by inverting P(gap >= x) = 1 / (1 + exp(x - location)) below x = 0.

    >>> gap_without_loop([0, 50], 1, 1, np.random.default_rng(1)).rounds
    1
    """
    _check(u, delta, eps)
    outcome = select(u, delta, eps, rng)
    centre = location(u, outcome, delta, eps)
    # P(gap >= x) = V P(gap >= 0) with V uniform on (0, 1], solved for x, by logarithms so that nothing overflows;
    # rounding may give a tiny number below 0.
    survival = min(math.log(1.0 - rng.random()) - float(np.logaddexp(0.0, -centre)), -(2.0**-53))
    return Selected(outcome, max(0.0, centre + math.log(-math.expm1(survival)) - survival), 1)


def _scaled(u: Sequence[float], delta: float, eps: float) -> np.ndarray:
    return eps * np.asarray(u, dtype=float) / (2 * delta)


def _check(u: Sequence[float], delta: float, eps: float) -> None:
    if len(u) < 2 or not np.all(np.isfinite(np.asarray(u, dtype=float))):
        raise InputError(f"a gap needs at least two utilities, finite numbers all; there are {len(u)}: give [3, 1]")
    for name, value in (("delta", delta), ("eps", eps)):
        if not (value > 0 and math.isfinite(value)):
            raise InputError(f"{name} is {value!r}; write a number above 0")
