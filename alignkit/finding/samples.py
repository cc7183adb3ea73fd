"""The paired runs that proposals are made from: those of a choice of settings, and those of counterexamples."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.paired_runs import AnotherWay, PairedRun, follow_d, lead_along, with_given
from alignkit.finding.public_expressions import fitted_product
from alignkit.finding.scenarios import Setting, paired_runs_for, sizes, various_settings
from alignkit.finding.shapes import Shape
from alignkit.interpreting.values import Coordinate
from alignkit.limits import Deadline
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

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
        """The runs as a shape needs them: where it gives some shifts from the start, the runs that these lead to."""
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
