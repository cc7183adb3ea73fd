"""A solver's model as concrete arguments and noise."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram

# As many queries as a model ever speaks of.
MOST = 3


def read_model(alignment: AlignmentProgram, inputs: Inputs, model: Mapping[str, Fraction]) -> Witness:
    """The arguments and noise that a model describes; what it leaves open is 0."""
    mechanism = alignment.mechanism
    values: dict[str, Any] = {}
    values_: dict[str, Any] = {}
    for name, kind in mechanism.parameters.items():
        given = inputs.values[name]
        if kind.vector:
            positions = range(len(given))
            values[name] = tuple(model.get(f"{name}[{i}]", Fraction(0)) for i in positions)
            values_[name] = tuple(model.get(f"{primed(name)}[{i}]", values[name][i]) for i in positions)
        elif kind.private:
            values[name] = model.get(name, Fraction(0))
            values_[name] = model.get(primed(name), values[name])
        elif isinstance(given, int):
            values[name] = given
        else:
            values[name] = model.get(name, Fraction(mechanism.public[name].sample_values()[0]))
    values_ = mechanism.domain.on_lattices({**values, **values_})
    return Witness.of(mechanism, mechanism.domain.on_lattices(values), values_, _noise(alignment, model))


def _noise(alignment: AlignmentProgram, model: Mapping[str, Fraction]) -> dict[str, Any]:
    noise: dict[str, Any] = {}
    for draw in alignment.mechanism.draws:
        if draw.depth == 0:
            noise[draw.key] = model.get(f"H.{draw.key}", Fraction(0))
        elif draw.depth == 1:
            noise[draw.key] = tuple(model.get(f"H.{draw.key}[{i}]", Fraction(0)) for i in range(MOST))
    return noise
