"""Runs of an original and of its mutant on the same answers and the same noise, to be compared."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

from alignkit import Alignment, Epsilon, InputError
from alignkit.interpreting.values import Coordinate
from alignkit.language.program import Place
from alignkit.noise import Distribution, Support
from alignkit.results import Witness
from alignkit.running.adjacency import check_adjacent
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.running.both_runs import AlignedRun, run_both
from alignkit.running.replaying import DrawnNoise, RecordingContext, Run, run_program

TRIED = 960

Values = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Sample:
    """Arguments on D and on an adjacent D′, and a seed that gives each noise coordinate its value.

    Coarse noise takes few values, so that outputs coincide and ties occur; other noise makes no tie.
    """

    values: Values
    values_: Values
    unit: Fraction
    seed: int

    @property
    def coarse(self) -> bool:
        return self.seed % 2 == 0


@cache
def samples(alignment: Alignment) -> tuple[Sample, ...]:
    """Samples of an alignment; a mutant is run on those of its original."""
    found = []
    pairs = random_pairs(alignment.mechanism, alignment.adjacency, random.Random(1))
    for seed, inputs in enumerate(islice(pairs, TRIED)):
        values, values_ = inputs.values, inputs.values_
        try:
            check_adjacent(alignment.adjacency, alignment.mechanism, values, values_)
        except InputError:
            continue
        far, far_ = _far(alignment, values, seed), _far(alignment, values_, seed)
        try:  # a sensitivity may be the budget itself
            check_adjacent(alignment.adjacency, alignment.mechanism, far, far_)
            values, values_ = far, far_
        except InputError:
            pass
        if seed % 5 == 0:
            values, values_ = _lifted(alignment, values, seed), _lifted(alignment, values_, seed)
        bound = max(Fraction(alignment.mechanism.domain.sensitivity(n, values)) for n in alignment.mechanism.private)
        # Whole numbers matter to a program whatever the sensitivity.
        found.append(Sample(values, values_, Fraction(1) if seed % 6 < 2 else bound, seed))
    return tuple(found)


def _far(alignment: Alignment, values: Values, seed: int) -> Values:
    """For some samples, budgets far larger or smaller than those of the search: 9 for 1, where k may be 3."""
    factor = {3: Fraction(9), 7: Fraction(1, 9)}.get(seed % 8, Fraction(1))
    budgets = [name for name, kind in alignment.mechanism.public.items() if isinstance(kind, Epsilon)]
    return {**values, **{name: values[name] * factor for name in budgets}}


def _lifted(alignment: Alignment, values: Values, seed: int) -> Values:
    """Answers that lie far apart, so that branches for large answers are taken; adjacent ones stay so."""

    def lifted(name: str) -> Any:
        source = random.Random(f"{seed} {name}")
        if isinstance(values[name], tuple):
            return tuple(x + source.randrange(0, 48, 8) for x in values[name])
        return values[name] + source.randrange(0, 48, 8)

    return {**values, **{name: lifted(name) for name in alignment.mechanism.private}}


class SharedNoise(RecordingContext):
    """Noise that depends on the sample and the coordinate only: whichever program draws it gets the same."""

    def __init__(self, alignment: Alignment, sample: Sample) -> None:
        super().__init__(alignment.mechanism)
        self.sample = sample

    def draw(self, where: Coordinate, distribution: Distribution, arguments: tuple[Any, ...], place: Place) -> Any:
        source = random.Random(f"{self.sample.seed} {where}")
        if distribution.support is Support.INDICES:
            value = Fraction(source.choice([k for k, weight in enumerate(arguments[-1]) if weight > 0]))
        elif not distribution.support.continuous:
            value = Fraction(arguments[-1]) * source.randint(-3, 3)
        elif self.sample.coarse:
            value = self.sample.unit * Fraction(source.randint(-4, 4), 2)
        else:
            value = self.sample.unit * Fraction(source.randint(-(10**9), 10**9), 3 * 10**8 + 7)
        value = abs(value) if distribution.support.one_sided else value
        self.drawn.append(DrawnNoise(where, distribution, arguments, value, place))
        return value


def run(alignment: Alignment, sample: Sample, values: Values | None = None) -> Run:
    """The mechanism's run on a sample's D, or on other arguments with the sample's noise."""
    return run_program(alignment.mechanism, sample.values if values is None else values, SharedNoise(alignment, sample))


def trial(alignment: Alignment, sample: Sample) -> AlignedRun:
    """The run on D and the aligned run on D′."""
    inputs = Witness.of(alignment.mechanism, sample.values, sample.values_)
    return run_both(alignment, inputs, SharedNoise(alignment, sample))
