"""A convicting candidate as the counterexample a report carries, confirmed by Python itself."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

from alignkit.errors import InternalError
from alignkit.refuting.candidates import Candidate, convicts
from alignkit.refuting.collisions import Collision, collide
from alignkit.results import Counterexample, Witness
from alignkit.running.aligned import Trial, as_vector, confirm
from alignkit.running.alignment import Alignment


def counterexample(alignment: Alignment, candidate: Candidate, shrunk_from: int) -> Counterexample:
    """The counterexample, replayed through the user's own functions; InternalError where they disagree."""
    trial = convicts(alignment, candidate)
    if trial is None or trial.violation is None:
        raise InternalError("a counterexample does not replay")
    confirm(alignment, candidate.values, candidate.values_, trial)
    mechanism = alignment.mechanism
    place = trial.violation.place or alignment.program.place
    return Counterexample(
        condition=trial.violation.condition,
        words=trial.violation.words,
        file=place.source.file,
        line=place.line,
        witness=Witness.of(mechanism, candidate.values, candidate.values_, as_vector(trial.run), _aligned(trial)),
        omega=trial.run.output,
        omega_=None if trial.run_ is None or not trial.run_.defined else trial.run_.output,
        cost=trial.cost,
        claim=trial.claim,
        snippet=snippet(alignment, candidate, trial),
        shrunk_from=shrunk_from,
        at_least=trial.at_least,
    )


def two_noise_vectors(alignment: Alignment, found: Collision) -> Counterexample:
    """The counterexample to one-to-one, both trials replayed through the user's own functions."""
    trials = collide(alignment, found)
    if trials is None:
        raise InternalError("a counterexample does not replay")
    candidate = found.candidate
    for trial in trials:
        confirm(alignment, candidate.values, candidate.values_, trial)
    one, other = trials
    place, mechanism = alignment.program.place, alignment.mechanism
    first = snippet(alignment, candidate, one)
    second = snippet(alignment, Candidate(candidate.values, candidate.values_, found.other), other)
    lines = dict.fromkeys([*second.splitlines()[:-1], *first.splitlines()[:-1]])
    calls = (first.splitlines()[-1], second.splitlines()[-1])
    return Counterexample(
        condition="one_to_one",
        words="two noise vectors give the same output and are moved to the same noise",
        file=place.source.file,
        line=place.line,
        witness=Witness.of(mechanism, candidate.values, candidate.values_, as_vector(one.run), _aligned(one)),
        omega=one.run.output,
        omega_=None if one.run_ is None or not one.run_.defined else one.run_.output,
        cost=one.cost,
        claim=one.claim,
        snippet="\n".join((*sorted(lines, key=lambda line: "fractions" not in line), *calls)),
        shrunk_from=size(candidate, alignment),
        H_other=as_vector(other.run),
        at_least=one.at_least,
    )


def _aligned(trial: Trial) -> dict[str, Any] | None:
    from dataclasses import replace

    if not trial.shifts and trial.run.drawn:
        return None
    noise_ = trial.noise_
    drawn = tuple(replace(d, value=noise_[d.where]) for d in trial.run.drawn)
    return as_vector(replace(trial.run, drawn=drawn))


def size(candidate: Candidate, alignment: Alignment) -> int:
    """The number of queries."""
    lengths = [len(candidate.values[n]) for n, kind in alignment.mechanism.private.items() if kind.vector]
    return lengths[0] if lengths else 1


def snippet(alignment: Alignment, candidate: Candidate, trial: Trial) -> str:
    """Python that replays the counterexample when pasted."""
    name = alignment.name
    arguments = []
    for private in alignment.mechanism.private:
        arguments.append(f"{private}={python(candidate.values[private])}")
        arguments.append(f"{private}_={python(candidate.values_[private])}")
    arguments += [f"{n}={python(candidate.values[n])}" for n in alignment.mechanism.public]
    noise = ", ".join(f"{k!r}: {python(v)}" for k, v in as_vector(trial.run).items())
    call = f"print({name}.replay({', '.join(arguments)}, H={{{noise}}}))"
    fractions = ["from fractions import Fraction"] if "Fraction(" in call else []
    return "\n".join([*fractions, *_import(alignment), call])


def _import(alignment: Alignment) -> list[str]:
    module = alignment.python.__module__
    if module.startswith("alignkit.proofs"):
        return [f"from {module} import {alignment.name}"]
    if not os.path.isfile(alignment.file):
        return []  # a notebook's cell is no file to load from, and its names are at hand
    return ["from alignkit import load", f'{alignment.name} = load("{alignment.file}::{alignment.name}")']


def python(value: Any) -> str:
    """A value as Python source."""
    if isinstance(value, tuple):
        return "[" + ", ".join(python(x) for x in value) + "]"
    if isinstance(value, Fraction) and value.denominator == 1:
        return str(value.numerator)
    return repr(value)
