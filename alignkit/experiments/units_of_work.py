"""An experiment split into units, each with randomness of its own that no number of workers changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from alignkit.experiments.answers_given import catalogue_mechanism
from alignkit.experiments.axis_points import AxisPoint
from alignkit.experiments.figure_plans import Experiment
from alignkit.experiments.moments import Moments
from alignkit.experiments.procedures import Procedure, seeds_for
from alignkit.version import __version__

# Runs of one unit: enough that runs with the same threshold are made together, and some seconds of work.
UNIT_RUNS = 10_000


@dataclass(frozen=True)
class Unit:
    """So many runs of a procedure at a setting; ``block`` tells the units of one point apart."""

    procedure: Procedure
    setting: AxisPoint
    block: int
    runs: int
    seed: int

    @property
    def point(self) -> tuple[str, AxisPoint]:
        """The point of the figure to which it belongs."""
        return self.procedure.label, self.setting

    @property
    def identity(self) -> str:
        """A text that two units share only if they compute the same, on the same data."""
        mechanisms = {name: catalogue_mechanism(name).digest for name in self.procedure.mechanisms}
        parts = [__version__, np.__version__, repr(self.procedure), repr(self.setting), mechanisms]
        return json.dumps([*parts, self.block, self.runs, self.seed], sort_keys=True)

    def run(self, counts: tuple[int, ...]) -> dict[str, Moments]:
        """Do the work, on these item counts."""
        # All experiments draw the same noise for the same runs: one figure's numbers are those of another's.
        place = [repr(self.procedure), repr(self.setting), self.block, self.seed]
        digest = hashlib.blake2b(json.dumps(place).encode(), digest_size=16).digest()
        seeds = tuple(seeds_for(int.from_bytes(digest, "little"), 3))
        return self.procedure.measure(self.setting, np.array(counts, dtype=np.int64), self.runs, seeds)


def run_unit(unit: Unit, counts: tuple[int, ...]) -> dict[str, Moments]:
    """Run a unit; a function, so that executors can send it to other processes."""
    return unit.run(counts)


def units_of(experiment: Experiment, runs: int, seed: int) -> Iterator[Unit]:
    """Split an experiment into units of at most ``UNIT_RUNS`` runs, in the order of its table."""
    for procedure in experiment.procedures:
        for setting in experiment.settings:
            if not procedure.needs_runs:
                yield Unit(procedure, setting, 0, 1, 0)
                continue
            for block, start in enumerate(range(0, runs, UNIT_RUNS)):
                yield Unit(procedure, setting, block, min(UNIT_RUNS, runs - start), seed)


def moments_document(moments: dict[str, Moments]) -> dict[str, dict[str, float]]:
    """Write what a unit measured as a JSON document."""
    return {name: asdict(value) for name, value in moments.items()}


def moments_in(document: dict[str, dict[str, float]]) -> dict[str, Moments]:
    """Read what `moments_document` wrote."""
    return {name: Moments(**values) for name, values in document.items()}
