"""What a search starts from: paired runs at several values of the public parameters, and the shapes to try."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from alignkit.errors import AlignkitError
from alignkit.finding.candidates import candidate_shapes
from alignkit.finding.paired_runs import AnotherWay, PairedRun, follow_d, lead_along, with_given
from alignkit.finding.public_expressions import fitted_product
from alignkit.finding.scenarios import Setting, paired_runs_for, sizes, various_settings
from alignkit.finding.shapes import Shape
from alignkit.interpreting.values import Coordinate
from alignkit.noise import Distribution
from alignkit.results import Witness
from alignkit.running.adjacency import Adjacency
from alignkit.running.mechanism_decorator import Mechanism

# Values of the public parameters to run with: enough to tell expressions in them apart.
_SETTINGS = 6

Sampled = list[tuple[int, PairedRun]]
"""Paired runs, each with the number of its setting."""


@dataclass(frozen=True)
class SearchGrounds:
    """Paired runs of a mechanism, the public parameters of each setting by its number, and shapes, plain ones first."""

    mechanism: Mechanism
    adjacency: Adjacency
    sampled: Sampled
    public: Mapping[int, Mapping[str, Any]]
    shapes: tuple[Shape, ...]


def pose(mechanism: Mechanism, adjacency: Adjacency, seed: int, each_setting: Callable[[], object]) -> SearchGrounds:
    """Run a mechanism at several settings, calling ``each_setting`` before each; the same seed gives the same runs."""
    source = random.Random(seed)
    sampled: Sampled = []
    chosen = various_settings(mechanism, source, _SETTINGS)
    for setting in chosen:
        each_setting()
        sampled += _sampled(mechanism, adjacency, setting, source)
    public = {setting.number: setting.public for setting in chosen}
    sampled = _with_units_of_a_text(mechanism, sampled, public)
    pairs = [pair for _, pair in sampled]
    shapes = tuple(candidate_shapes(mechanism, adjacency, pairs, source)) if pairs else ()
    return SearchGrounds(mechanism, adjacency, sampled, public, shapes)


def _sampled(mechanism: Mechanism, adjacency: Adjacency, setting: Setting, source: random.Random) -> Sampled:
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


def _with_units_of_a_text(mechanism: Mechanism, sampled: Sampled, public: Mapping[int, Mapping[str, Any]]) -> Sampled:
    """The runs without the units that no text is found for."""
    points: dict[str, list[tuple[Mapping[str, Any], Fraction]]] = {}
    for number, pair in sampled:
        for key, unit in pair.units.items():
            points.setdefault(key, []).append((public[number], unit))
    known = {key for key, of_key in points.items() if fitted_product(mechanism, of_key) is not None}
    return [
        (number, replace(pair, units={key: unit for key, unit in pair.units.items() if key in known}))
        for number, pair in sampled
    ]


def runs_for(shape: Shape, sampled: Sampled) -> Sampled:
    """The paired runs as a shape needs them: where it gives some shifts from the start, the runs that these lead to."""
    if not shape.given:
        return sampled
    found = []
    for number, pair in sampled:
        try:
            found.append((number, with_given(shape.mechanism, pair, shape.given_shifts(pair))))
        except (AnotherWay, AlignkitError):
            continue
    return found


def runs_of_counterexample(mechanism: Mechanism, witness: Witness, number: int) -> Sampled:
    """The paired run of a counterexample, as one of a setting of its own; none where D′ cannot be led."""

    def pick(where: Coordinate, distribution: Distribution, arguments: tuple[Fraction, ...]) -> Fraction:
        value = witness.H[where.key]
        for i in where.index:
            value = value[i]
        return Fraction(value)

    try:
        return [(number, lead_along(mechanism, witness, follow_d(mechanism, witness.values, pick)))]
    except (AnotherWay, AlignkitError):
        return []
