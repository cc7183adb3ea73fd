"""Two noise vectors with one output and one image, replayed exactly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from alignkit.refuting.convicting import coordinates, replayed
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun
from alignkit.running.replaying import alike


@dataclass(frozen=True)
class Collision:
    """Adjacent inputs with noise, and another noise vector that the alignment moves to the same place."""

    witness: Witness
    other: Mapping[str, Any]


def collide(alignment: AlignmentProgram, pair: Collision) -> tuple[AlignedRun, AlignedRun] | None:
    """The trials of both noise vectors, where these differ and the outputs and images are exactly the same."""
    one = replayed(alignment, pair.witness)
    two = replayed(alignment, pair.witness.with_noise(pair.other))
    if one is None or two is None or not one.run.defined or not two.run.defined:
        return None
    if one.close or two.close:
        return None  # rounding may have decided which way a run went
    if not one.shifts or one.shifts.keys() != two.shifts.keys() or one.run.noise == two.run.noise:
        return None
    values = (one.run.output, two.run.output, *one.noise_.values(), *two.noise_.values())
    if any(isinstance(number, float) for value in values for _, number in coordinates(value)):
        return None  # equal up to rounding is not equal
    if not alike(one.run.output, two.run.output) or one.noise_ != two.noise_:
        return None
    return one, two
