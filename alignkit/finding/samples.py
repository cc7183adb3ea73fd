"""The paired runs that proposals are made from: those of a choice of settings, and those of counterexamples."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.paired_runs import AnotherWay, PairedRun, follow_d, lead_along
from alignkit.finding.scenarios import Setting, paired_runs_for, sizes, various_settings
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
    """Paired runs, each with the number of its setting, and the public parameters of each setting."""

    mechanism: Mechanism
    pairs: list[tuple[int, PairedRun]] = field(default_factory=list)
    public: dict[int, Mapping[str, Any]] = field(default_factory=dict)

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


def sampled(mechanism: Mechanism, adjacency: Adjacency, deadline: Deadline, source: random.Random) -> Samples:
    """Paired runs at several settings. Raises OutOfTime where the deadline passes."""
    samples = Samples(mechanism)
    for setting in various_settings(mechanism, source, _SETTINGS):
        deadline.check()
        samples.public[setting.number] = setting.public
        samples.pairs += _of_setting(mechanism, adjacency, setting, source)
    return samples


def _of_setting(
    mechanism: Mechanism, adjacency: Adjacency, setting: Setting, source: random.Random
) -> list[tuple[int, PairedRun]]:
    """Paired runs for one setting, all of them with the units that some of them show."""
    pairs = [
        pair
        for size in sizes(mechanism, setting)
        for pair in paired_runs_for(mechanism, adjacency, setting, size, source)
    ]
    measured: dict[str, set[Fraction]] = {}
    for pair in pairs:
        for key, unit in pair.units.items():
            measured.setdefault(key, set()).add(unit)
    # Where several answers are added to one draw, no unit serves them all, and they have coefficients of their own.
    units = {key: min(values) for key, values in measured.items() if len(values) == 1}
    return [(setting.number, replace(pair, units=units)) for pair in pairs]
