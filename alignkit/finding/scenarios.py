"""Which runs are paired: public parameters, answers, changes and noise that lead down the ways of a program.

The paired runs that proposals are made from: those of a choice of settings, and those of counterexamples.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.paired_runs import AnotherWay, FollowedRun, PairedRun, Pick, follow_d, lead_along, with_given
from alignkit.finding.public_expressions import fitted_product
from alignkit.finding.shapes import Shape
from alignkit.interpreting.values import Coordinate
from alignkit.limits import Deadline
from alignkit.noise import Distribution
from alignkit.results import Witness
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
        return Fraction(distribution.possible(value, *arguments))

    return pick


# Values of the public parameters to run with: enough to tell expressions in them apart.
_SETTINGS = 6


@dataclass
class Samples:
    """Paired runs, each with the number of its setting, and the public parameters of each setting.

    ``apart`` says that in some runs D′ could not be led the way of D.
    """

    mechanism: Mechanism
    pairs: list[tuple[int, PairedRun]] = field(default_factory=list)
    public: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    apart: bool = False

    @property
    def lacking(self) -> str:
        """Why there are no runs to propose from."""
        if self.apart:
            return "no alignment leads D' to the output of D in the runs that were tried: it differs without noise"
        return "no run could be followed: the program is not affine in its noise, or not defined on few answers"

    def copy(self) -> Samples:
        """The same runs, to which others may be added."""
        return Samples(self.mechanism, list(self.pairs), dict(self.public))

    def learn(self, witness: Witness) -> bool:
        """Add the paired run of a counterexample, as one of a setting of its own; False where D′ cannot be led."""

        def pick(where: Coordinate, distribution: Distribution, arguments: tuple[Fraction, ...]) -> Fraction:
            value = witness.H[where.key]
            for i in where.index:
                value = value[i]
            return Fraction(value)

        number = len(self.public)
        try:
            pair = lead_along(self.mechanism, witness, follow_d(self.mechanism, witness.values, pick))
        except (AnotherWay, AlignkitError):
            return False
        self.public[number] = witness.public
        self.pairs.append((number, pair))
        return True

    def for_shape(self, shape: Shape) -> Samples:
        """The runs as a shape needs them: where it gives some shifts from the start, the runs that these lead to.

        Where it has limits, the runs in which D′ is to go the way of D.
        """
        if shape.limited is not None:
            kept = [(number, pair) for number, pair in self.pairs if shape.limited.covers(pair)]
            return Samples(self.mechanism, kept, self.public)
        if not shape.given:
            return self
        found = []
        for number, pair in self.pairs:
            try:
                found.append((number, with_given(shape.mechanism, pair, shape.given_shifts(pair))))
            except (AnotherWay, AlignkitError):
                continue
        return Samples(self.mechanism, found, self.public)


def sampled(
    mechanism: Mechanism, adjacency: Adjacency, deadline: Deadline, source: random.Random, *, thorough: bool = False
) -> Samples:
    """Paired runs at several settings, more of them where ``thorough``. Raises OutOfTime where the deadline passes."""
    samples = Samples(mechanism)
    for setting in various_settings(mechanism, source, _SETTINGS):
        deadline.check()
        samples.public[setting.number] = setting.public
        of_setting = _of_setting(mechanism, adjacency, setting, source, thorough=thorough)
        samples.pairs += [(setting.number, pair) for pair in of_setting if pair is not None]
        samples.apart |= None in of_setting
    return _with_units_of_a_text(samples)


def _of_setting(
    mechanism: Mechanism, adjacency: Adjacency, setting: Setting, source: random.Random, *, thorough: bool
) -> list[PairedRun | None]:
    """Paired runs for one setting, all of them with the units that some of them show; None where D′ is not led."""
    pairs = [
        pair
        for size in sizes(mechanism, setting)
        for pair in paired_runs_for(mechanism, adjacency, setting, size, source, thorough=thorough)
    ]
    measured: dict[str, set[Fraction]] = {}
    for pair in filter(None, pairs):
        for key, unit in pair.units.items():
            measured.setdefault(key, set()).add(unit)
    # Where several answers are added to one draw, no unit serves them all, and they have coefficients of their own.
    units = {key: min(values) for key, values in measured.items() if len(values) == 1}
    return [None if pair is None else replace(pair, units=units) for pair in pairs]


def _with_units_of_a_text(samples: Samples) -> Samples:
    """The runs without the units that no text is found for."""
    points: dict[str, list[tuple[Mapping[str, Any], Fraction]]] = {}
    for number, pair in samples.pairs:
        for key, unit in pair.units.items():
            points.setdefault(key, []).append((samples.public[number], unit))
    known = {key for key, of_key in points.items() if fitted_product(samples.mechanism, of_key) is not None}
    pairs = [
        (number, replace(pair, units={key: unit for key, unit in pair.units.items() if key in known}))
        for number, pair in samples.pairs
    ]
    return Samples(samples.mechanism, pairs, samples.public, samples.apart)
