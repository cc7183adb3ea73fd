"""What each draw of a mechanism of plain sums must move by: how much of each answer it covers.

Where each noisy number that a mechanism compares or gives out has a draw of its own, the output stays the same if each
of these draws makes up for what its number changes by. How much of each answer that is shows if
the answers are changed one by one.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.paired_runs import AnotherWay, Drawn, PairedRun, follow_d, lead_along
from alignkit.finding.programs import rate
from alignkit.finding.scenarios import noise_from
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import Answer, PrivateAnswers, answers_needed
from alignkit.running.mechanism_decorator import Mechanism

# How many answers more than two the runs have, at most: enough to tell places apart that are counted from either end.
_MORE = 6


@dataclass(frozen=True)
class CoveredDraw:
    """One draw of one run: what of each answer its shift makes up for, by the answer's parameter and position.

    ``position`` is its place in the loop by which answers are covered, the innermost one unless said otherwise.
    ``free`` is whether no output depends on it, so that any shift will do. ``counts`` says how many draws the run makes
    there, in each loop around it, ``size`` how many answers each private list has.
    """

    drawn: Drawn
    weights: Mapping[Answer, Fraction]
    public: Mapping[str, Any]
    size: int
    counts: tuple[int, ...]
    position: int
    free: bool


@dataclass(frozen=True)
class CoveringRun:
    """A run with its draws; ``bounds`` is how far each answer may change, ``outputs`` how many outputs a generator has.
    """

    draws: tuple[CoveredDraw, ...]
    public: Mapping[str, Any]
    bounds: Mapping[Answer, Fraction]
    outputs: int | None

    def cost(self, adjacency: Adjacency, name: str | None = None) -> Fraction:
        """What the shifts cost at most, where only the answers of this parameter change (None: those of any)."""
        costs = [
            sum((abs(d.weights.get(place, Fraction(0))) * bound * rate(d.drawn) for d in self.draws), Fraction(0))
            for place, bound in self.bounds.items()
            if name in (None, place[0])
        ]
        if adjacency in (Adjacency.ONE, Adjacency.L1):
            return max(costs, default=Fraction(0))
        return sum(costs, Fraction(0))


def covering_runs(
    mechanism: Mechanism, settings: Iterable[Mapping[str, Any]], source: random.Random
) -> list[CoveringRun] | None:
    """Runs at some settings with what their draws cover; None where shifts do not follow from the output alone."""
    least = max(2, answers_needed(mechanism))
    runs = [_run(mechanism, public, size, source) for public in settings for size in range(least, least + _MORE)]
    return None if None in runs else [run for run in runs if run is not None]


def _run(mechanism: Mechanism, public: Mapping[str, Any], size: int, source: random.Random) -> CoveringRun | None:
    lists = [name for name, kind in mechanism.public.items() if kind.vector]
    # Lists of different lengths can be told apart.
    own = {name: (public[name] * (size + 2 + n))[: size + 1 + n] for n, name in enumerate(lists)}
    here = {**public, **own}
    private = PrivateAnswers(mechanism, here, size)
    answers = [Fraction(source.randrange(-20, 20)) for _ in private.places]
    nothing = [Fraction(0)] * len(answers)
    try:
        run = follow_d(mechanism, private.witness(answers, nothing).values, noise_from(source))
    except AlignkitError:
        return None
    weights: dict[str, dict[Answer, Fraction]] = {str(drawn.where): {} for drawn in run.drawn}
    settled: set[str] = set()
    for number, place in enumerate(private.places):
        change = private.bounds[number]
        moved = [change if other == number else Fraction(0) for other in range(len(answers))]
        try:
            shifts = forced_shifts(lead_along(mechanism, private.witness(answers, moved), run))
        except (AnotherWay, AlignkitError):
            return None
        if shifts is None:
            return None
        settled |= shifts.keys()
        for name, shift in shifts.items():
            if shift:
                weights[name][place] = -shift / change
    draws = tuple(
        CoveredDraw(
            drawn=drawn,
            weights=weights[str(drawn.where)],
            public=here,
            size=size,
            counts=_counts(drawn, run.drawn),
            position=drawn.where.index[-1] if drawn.where.index else 0,
            free=str(drawn.where) not in settled,
        )
        for drawn in run.drawn
    )
    outputs = len(run.output) if mechanism.program.is_generator else None
    return CoveringRun(draws, here, dict(zip(private.places, private.bounds, strict=True)), outputs)


def _counts(drawn: Drawn, drawn_in_all: Sequence[Drawn]) -> tuple[int, ...]:
    """For each loop around a draw, how often it is drawn there while the loops around that one stand still."""
    index = drawn.where.index
    others = [other.where.index for other in drawn_in_all if other.where.key == drawn.where.key]
    return tuple(len({o[depth] for o in others if o[:depth] == index[:depth]}) for depth in range(len(index)))


def forced_shifts(pair: PairedRun) -> dict[str, Fraction] | None:
    """The shift of each draw that demands speak of, if they settle them one after the other.

    What is compared is to be the same, too.
    """
    known: dict[str, Fraction] = {}
    for demand in pair.demands:
        left = [name for name, factor in demand.factors.items() if factor and name not in known]
        settled = sum((factor * known[n] for n, factor in demand.factors.items() if n in known), Fraction(0))
        if len(left) > 1 or (not left and settled != demand.bound):
            return None
        if left:
            known[left[0]] = (demand.bound - settled) / demand.factors[left[0]]
    return known
