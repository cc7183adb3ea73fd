"""The exponential mechanism as a black box, and a gap drawn beside it (Algorithm 8 of the VLDB Journal paper).

The algorithm draws a gap until it is positive, and the language has no loop that runs until something happens. So
``black_box_gap`` and ``gap_without_loop`` are plain Python functions, in floating point: for experiments, not for
release. What is checked is one round of the algorithm, and the algorithm as printed with a bound on its rounds.
docs/theory/selections.md shows that these rounds, repeated until one of them releases a gap, have the law of the
naive Algorithm 7.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from alignkit import Count, Epsilon, Noise, Positive, Queries, Sensitivity, exp, largest, log, mechanism
from alignkit.errors import InputError

if TYPE_CHECKING:
    import numpy as np

Utilities = Annotated[Queries, Sensitivity("delta")]
Locations = Annotated[Queries, Sensitivity("eps")]


@mechanism
def black_box_gap_in_one_round(m: Locations, eps: Epsilon, noise: Noise):
    """One round of Algorithm 8 of the VLDB Journal paper with eps restored, where each round chooses its outcome anew.

    m[i] is the location of Theorem 7 for outcome i, which changes by at most eps (Lemma 9). The outcome s is drawn
    evenly. The gap 0 says that the round has no gap to release, which is so with probability 1 - 1/n for all utilities.
    """
    g = [noise.gumbel(1) for m_i in m]
    (s,) = largest(g, 1)
    e = noise.logistic(1)
    x = m[s] + e
    return (s, x) if x > 0 else (s, 0)


def printed_location(u, s, delta):
    """The location on line 4 of Algorithm 8, in the language of mechanisms."""
    return u[s] / (2 * delta) - log(sum(exp(u[i] / (2 * delta)) for i in range(len(u)) if i != s))


@mechanism
def black_box_gap_as_printed(u: Utilities, delta: Positive, eps: Epsilon, rounds: Count, noise: Noise):
    """Algorithm 8 of the VLDB Journal paper as printed, its location without eps, in so many rounds at most.

    The gap 0 says that no round had a positive one. With eps in the location, the exponential mechanism loses at most
    eps and each round at most eps more, by Lemma 9, which is what is claimed here.
    """
    g = [noise.gumbel(1) for u_i in u]
    x = [eps * u_i / (2 * delta) + g_i for u_i, g_i in zip(u, g)]
    (s,) = largest(x, 1)
    m = printed_location(u, s, delta)
    for j in range(rounds):
        e = noise.logistic(1)
        if m + e > 0:
            return s, m + e
    return s, 0


# Selects an outcome: from utilities, their sensitivity, the budget and a generator.
Select = Callable[[Sequence[float], float, float, "np.random.Generator"], int]


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

    >>> import numpy as np
    >>> select_outcome([0, 5000], 1, 1, np.random.default_rng(1))
    1
    """
    weights = _scaled(u, delta, eps)
    chances = [math.exp(weight - max(weights)) for weight in weights]
    return int(rng.choice(len(chances), p=[chance / sum(chances) for chance in chances]))


def location(u: Sequence[float], outcome: int, delta: float, eps: float) -> float:
    """Where Theorem 7 has the logistic distribution: x_s - ln(sum of exp(x_i), i != s) with x_i = eps u_i / (2 delta).

    >>> location([3, 1], 0, 1, 1)
    1.0
    """
    x = _scaled(u, delta, eps)
    others = [x_i for i, x_i in enumerate(x) if i != outcome]
    largest = max(others)
    return x[outcome] - largest - math.log(sum(math.exp(x_i - largest) for x_i in others))


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

    >>> import numpy as np
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

    >>> import numpy as np
    >>> gap_without_loop([0, 50], 1, 1, np.random.default_rng(1)).rounds
    1
    """
    _check(u, delta, eps)
    outcome = select(u, delta, eps, rng)
    centre = location(u, outcome, delta, eps)
    # P(gap >= x) = V P(gap >= 0) with V uniform on (0, 1], solved for x, by logarithms so that nothing overflows;
    # rounding may give a tiny number below 0.
    above = max(0.0, -centre) + math.log1p(math.exp(-abs(centre)))
    survival = min(math.log(1.0 - rng.random()) - above, -(2.0**-53))
    return Selected(outcome, max(0.0, centre + math.log(-math.expm1(survival)) - survival), 1)


def _scaled(u: Sequence[float], delta: float, eps: float) -> list[float]:
    return [eps * float(u_i) / (2 * delta) for u_i in u]


def _check(u: Sequence[float], delta: float, eps: float) -> None:
    if len(u) < 2 or not all(math.isfinite(float(u_i)) for u_i in u):
        raise InputError(f"a gap needs at least two utilities, finite numbers all; there are {len(u)}: give [3, 1]")
    for name, value in (("delta", delta), ("eps", eps)):
        if not (value > 0 and math.isfinite(value)):
            raise InputError(f"{name} is {value!r}; write a number above 0")
