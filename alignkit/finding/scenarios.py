"""Which runs are paired: public parameters, answers, changes and noise that lead down the ways of a program."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.paired_runs import AnotherWay, FollowedRun, PairedRun, Pick, follow_d, lead_along
from alignkit.interpreting.values import Coordinate
from alignkit.noise import Distribution
from alignkit.running.adjacency import Adjacency
from alignkit.running.adjacent_pairs import PrivateAnswers, answers_needed, centre, telling_patterns
from alignkit.running.mechanism_decorator import Mechanism

# Counts, and numbers of answers beyond the largest count.
_COUNTS = (1, 2, 3)
_BEYOND = (1, 2)

# Noise and answers lie on this grid, so that values tie and nearly tie; the large ones lead down rare ways.
_NEAR = tuple(Fraction(x, 4) for x in (0, 0, 1, -1, 2, -2, 4, -4, 6, -6, 8, -8))
_FAR = tuple(Fraction(sign * x) for x in (6, 40, 400) for sign in (1, -1))

# Runs on D for each setting and size, ways that are kept of these, runs a way, and changes a run.
_RUNS, _WAYS, _RUNS_A_WAY, _CHANGES = 24, 8, 2, 3

# Where more is asked of the runs than demands: which draws one run pays for together.
_MORE_RUNS, _MORE_CHANGES = 30, 4


@dataclass(frozen=True)
class Setting:
    """Values of the public parameters, by number."""

    number: int
    public: Mapping[str, Any]


def various_settings(mechanism: Mechanism, source: random.Random, count: int) -> list[Setting]:
    """Different values of the public parameters, so that expressions in them can be told apart."""
    chosen: list[Mapping[str, Any]] = []
    for _ in range(20 * count):
        public: dict[str, Any] = {}
        for name, kind in mechanism.public.items():
            values = kind.sample_values()
            if kind.vector:
                public[name] = (source.choice(values[:3]),) * (max(_COUNTS) + max(_BEYOND))
            else:
                public[name] = source.choice(_COUNTS) if kind.integer else source.choice(values)
        public = mechanism.domain.on_lattices(public)
        if public not in chosen:
            chosen.append(public)
        if len(chosen) == count:
            break
    return [Setting(number, public) for number, public in enumerate(chosen)]


def sizes(mechanism: Mechanism, setting: Setting) -> Sequence[int]:
    """Numbers of answers to try with a setting."""
    if not any(kind.vector for kind in mechanism.private.values()):
        return (1,)
    counts = [int(setting.public[name]) for name, kind in mechanism.public.items() if kind.integer]
    least = max(*counts, answers_needed(mechanism), 1) if counts else max(answers_needed(mechanism) - 1, 1)
    return [least + beyond for beyond in _BEYOND]


_Way = list[tuple[tuple[Fraction, ...], FollowedRun]]
"""Runs on D that went one way through the program, each with its answers."""


def paired_runs_for(
    mechanism: Mechanism,
    adjacency: Adjacency,
    setting: Setting,
    size: int,
    source: random.Random,
    *,
    thorough: bool,
) -> Iterator[PairedRun | None]:
    """Paired runs for a setting and a number of answers; None where D′ cannot be led the way of D."""
    public = {
        name: value[:size] if mechanism.public[name].vector else value for name, value in setting.public.items()
    }
    private = PrivateAnswers(mechanism, public, size)
    changes = _MORE_CHANGES if thorough else _CHANGES
    ways = _ways(mechanism, private, source, _MORE_RUNS if thorough else _RUNS)
    count = len(private.places)
    patterns = telling_patterns(adjacency, [[number] for number in range(count)], count, count)
    for way in ways:
        for answers, run in way:
            for pattern in patterns if len(patterns) <= changes else source.sample(patterns, changes):
                try:
                    yield lead_along(mechanism, private.witness(answers, private.moved(pattern)), run)
                except (AnotherWay, AlignkitError):
                    yield None


def _ways(mechanism: Mechanism, private: PrivateAnswers, source: random.Random, runs: int) -> list[_Way]:
    found: dict[Any, _Way] = {}
    level = centre(mechanism, source)
    count = len(private.places)
    nowhere = (Fraction(0),) * count
    for number in range(runs):
        answers = tuple(level + (source.choice(_NEAR) if number % 2 else 0) for _ in range(count))
        values = private.witness(answers, nowhere).values
        try:
            run = follow_d(mechanism, values, noise_from(source))
        except AlignkitError:
            continue
        way = found.setdefault(run.way, [])
        if len(way) < _RUNS_A_WAY:
            way.append((answers, run))
    longest = sorted(found, key=len, reverse=True)
    return [found[key] for key in longest[:_WAYS]]


def noise_from(source: random.Random) -> Pick:
    """Noise from the grid; a run has large noise or none that is."""
    grid = (*_NEAR, *_FAR) if source.random() < 0.5 else _NEAR

    def pick(where: Coordinate, distribution: Distribution, arguments: tuple[Fraction, ...]) -> Fraction:
        value = source.choice(grid)
        if not distribution.support.continuous:
            step = arguments[-1]
            value = step * round(value / step)
        return abs(value) if distribution.support.one_sided else value

    return pick
