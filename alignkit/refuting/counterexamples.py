"""A convicting candidate as the counterexample that a report carries, confirmed by Python itself.

Two noise vectors with one output and one image, replayed exactly.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from alignkit.errors import InternalError
from alignkit.refuting.convicting import convicts, coordinates, replayed
from alignkit.results import Counterexample, Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun, Violation
from alignkit.running.defined_functions import python_source
from alignkit.running.exact_confirmation import confirm_run
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
    if one.outside or two.outside:
        return None
    if not one.shifts or one.shifts.keys() != two.shifts.keys() or one.run.noise == two.run.noise:
        return None
    values = (one.run.output, two.run.output, *one.noise_.values(), *two.noise_.values())
    if any(isinstance(number, float) for value in values for _, number in coordinates(value)):
        return None  # equal up to rounding is not equal
    if not alike(one.run.output, two.run.output) or one.noise_ != two.noise_:
        return None
    return one, two


def counterexample(alignment: AlignmentProgram, candidate: Witness, shrunk_from: int) -> Counterexample:
    """The counterexample, replayed through the user's own functions; InternalError where they disagree."""
    trial = convicts(alignment, candidate)
    if trial is None or trial.violation is None:
        raise InternalError("a counterexample does not replay")
    confirm_run(alignment, candidate, trial)
    return counterexample_of(alignment, candidate, trial, trial.violation, shrunk_from)


def two_noise_vectors(alignment: AlignmentProgram, pair: Collision) -> Counterexample:
    """The counterexample to one-to-one, both runs replayed through the user's own functions."""
    trials = collide(alignment, pair)
    if trials is None:
        raise InternalError("a counterexample does not replay")
    for trial in trials:
        confirm_run(alignment, pair.witness, trial)
    one, other = trials
    words = "two noise vectors give the same output and are moved to the same noise"
    queries = number_of_queries(alignment, pair.witness)
    found = counterexample_of(alignment, pair.witness, one, Violation("one_to_one", words, None), queries)
    first = found.snippet.splitlines()
    second = replay_snippet(alignment, other.witness(pair.witness)).splitlines()
    lines = sorted(dict.fromkeys([*second[:-1], *first[:-1]]), key=lambda line: "fractions" not in line)
    return replace(found, snippet="\n".join((*lines, first[-1], second[-1])), H_other=other.run.H)


def counterexample_of(
    alignment: AlignmentProgram, inputs: Witness, trial: AlignedRun, violation: Violation, shrunk_from: int
) -> Counterexample:
    """The counterexample that a trial of these inputs is, by what it violates."""
    place = violation.place or alignment.program.place
    witness = trial.witness(inputs)
    return Counterexample(
        condition=violation.condition,
        words=violation.words,
        file=place.source.file,
        line=place.line,
        witness=witness,
        omega=trial.run.output,
        omega_=None if trial.run_ is None or not trial.run_.defined else trial.run_.output,
        cost=trial.cost,
        claim=trial.claim,
        snippet=replay_snippet(alignment, witness),
        shrunk_from=shrunk_from,
        at_least=trial.at_least,
    )


def number_of_queries(alignment: AlignmentProgram, inputs: Witness) -> int:
    """How many answers the first vector of the private parameters has; 1 where there is none."""
    lengths = [len(inputs.q[name]) for name, kind in alignment.mechanism.private.items() if kind.vector]
    return lengths[0] if lengths else 1


def replay_snippet(alignment: AlignmentProgram, witness: Witness) -> str:
    """Python that replays the counterexample when pasted."""
    arguments = []
    for name in alignment.mechanism.private:
        arguments += [f"{name}={python_source(witness.q[name])}", f"{name}_={python_source(witness.q_[name])}"]
    arguments += [f"{name}={python_source(witness.public[name])}" for name in alignment.mechanism.public]
    noise = ", ".join(f"{name!r}: {python_source(value)}" for name, value in witness.H.items())
    call = f"print({alignment.name}.replay({', '.join(arguments)}, H={{{noise}}}))"
    fractions = ["from fractions import Fraction"] if "Fraction(" in call else []
    return "\n".join([*fractions, *_import(alignment), call])


def _import(alignment: AlignmentProgram) -> list[str]:
    module = alignment.python.__module__
    if module.startswith("alignkit.proofs") and alignment.dotted_name == alignment.name:
        return [f"from {module} import {alignment.name}"]
    if not os.path.isfile(alignment.file):
        return []  # a notebook's cell is no file to load from, and its names are at hand
    return ["from alignkit import load", f'{alignment.name} = load("{alignment.file}::{alignment.dotted_name}")']
