"""Two noise vectors with one output and one image: what refutes that an alignment is one-to-one.

One such pair may be a coincidence of probability 0. It counts where it persists: noise close to the first vector, moved
in directions chosen at random, has a partner too, which the solver finds each time and which replays exactly.

A solver's model as concrete arguments and noise.

Noise that an alignment forgets: moved by itself, it changes neither the output nor where the noise is moved to.

This is the plainest way not to be one-to-one, and needs no solver: a run is tried again with one coordinate moved.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.errors import InputError, Undefined
from alignkit.limits import NEVER, Deadline
from alignkit.proving.deciding import Decider
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.second_run import OTHER
from alignkit.proving.stages.pairs_of_runs import pair_of_runs
from alignkit.proving.symbolic_inputs import Inputs, primed
from alignkit.proving.symbolic_trial import Exploration
from alignkit.refuting.convicting import coordinates, moved_slightly, replayed
from alignkit.refuting.counterexamples import Collision, collide
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.alignment_runs import AlignmentContext, shifts_for
from alignkit.running.both_runs import AlignedRun
from alignkit.running.replaying import ReplayContext, alike, by_name, exact_noise, run_program
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

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


# The number of noise vectors close by that must have a partner too, at each of these distances.
NEIGHBOURS = 3
DISTANCES = (Fraction(1, 1000), Fraction(1, 10**6))

# How far off other pairs are looked for, and the number of them at each distance.
FARTHER = (Fraction(1, 4), Fraction(1, 2), Fraction(1))
TRIED = 8

# The most pairs described by models of obligations that are looked into.
MOST_PAIRS = 6

# The most questions that are put to the solver in search of partners.
MOST_QUESTIONS = 400

# How often a coordinate of a run's noise is moved in search of noise that is forgotten.
MOST_MOVES = 1000


def collision(exploration: Exploration, decider: Decider) -> Collision | None:
    """Two noise vectors that break the proof, for inputs of a given size."""
    alignment, inputs = exploration.alignment, exploration.inputs
    failing: dict[Any, Obligation] = {}
    models = []
    for record in exploration.records(pair_of_runs):
        for obligation in record.obligations:
            if obligation.condition != "one_to_one" or obligation.key in failing:
                continue
            answer = decider.decide(obligation).answer
            if answer.outcome is Outcome.POSSIBLE:
                failing[obligation.key] = obligation
                models.append(answer.model)
    until = decider.queries + MOST_QUESTIONS
    for model in models[:MOST_PAIRS]:
        first = _of_model(alignment, inputs, model)
        if first is None:
            continue
        search = Partners(alignment, inputs, first, tuple(failing.values()), decider, until)
        for pair in search.near_by():
            if search.persists(pair):
                return pair
    return None


def _of_model(alignment: AlignmentProgram, inputs: Inputs, model: Mapping[str, Fraction]) -> Collision | None:
    """The pair that a model describes, where it replays exactly."""
    candidate = read_model(alignment, inputs, model)
    others = {key.removesuffix(OTHER): value for key, value in model.items() if key.endswith(OTHER)}
    other = read_model(alignment, inputs, {**model, **others}).H
    pair = Collision(candidate, other)
    return pair if collide(alignment, pair) else None


@dataclass(frozen=True)
class Partners:
    """Finds noise vectors with the same output and image as a given one, for the inputs of a first pair."""

    alignment: AlignmentProgram
    inputs: Inputs
    first: Collision
    failing: tuple[Obligation, ...]
    decider: Decider
    until: int

    def near_by(self) -> Iterator[Collision]:
        """The first pair, then others some way off: a solver's model often lies in a corner."""
        yield self.first
        for distance in FARTHER:
            for noise in self._around(self.first, distance, TRIED):
                pair = self.partner(noise)
                if pair is not None:
                    yield pair

    def persists(self, pair: Collision) -> bool:
        """Whether noise close to a pair's first vector has a partner too, whichever way it is moved."""
        return any(all(self.partner(n) is not None for n in self._around(pair, distance)) for distance in DISTANCES)

    def partner(self, noise: dict[str, Any]) -> Collision | None:
        """The noise with another vector, where there is one that replays exactly."""
        candidate = self.first.witness.with_noise(noise)
        if replayed(self.alignment, candidate) is None:
            return None
        fixed = _as_facts(self.inputs, candidate)
        for obligation in self.failing:
            if self.decider.queries >= self.until:
                return None
            goal = obligation.goal
            negated = (not goal) if isinstance(goal, bool) else ~goal
            answer = self.decider.satisfiable((*obligation.hypotheses.whole, negated, *fixed))
            if answer.outcome is Outcome.POSSIBLE:
                pair = _of_model(self.alignment, self.inputs, answer.model)
                if pair is not None:
                    return pair
        return None

    def _around(self, pair: Collision, distance: Fraction, count: int = NEIGHBOURS) -> list[dict[str, Any]]:
        trials = collide(self.alignment, pair)
        assert trials is not None
        return close_by(trials[0], distance, count)


def close_by(trial: AlignedRun, distance: Fraction = DISTANCES[0], count: int = NEIGHBOURS) -> list[dict[str, Any]]:
    """Noise vectors close to a trial's, in directions chosen at random."""
    return [moved_slightly(trial.run, distance, random.Random(seed)) for seed in range(count)]


def _as_facts(inputs: Inputs, candidate: Witness) -> tuple[Any, ...]:
    """That the inputs and the first noise vector are these."""
    facts = []
    for name in inputs.values:
        for symbols, values in ((inputs.values, candidate.values), (inputs.values_, candidate.values_)):
            for (_, symbol), (_, number) in zip(coordinates(symbols[name]), coordinates(values[name]), strict=True):
                if isinstance(symbol, Term):  # counts are given as numbers
                    facts.append(symbol.compare("==", Fraction(number)))
    for name, value in candidate.H.items():
        for indices, number in coordinates(value):
            facts.append(Term.of(Symbol(name + indices, Role.NOISE)).compare("==", Fraction(number)))
    return tuple(fact for fact in facts if fact is not True)


# How far a coordinate is moved.
STEP = Fraction(1, 997)


def forgotten(
    alignment: AlignmentProgram, trials: Iterable[tuple[Witness, AlignedRun]], deadline: Deadline = NEVER
) -> Collision | None:
    """Two noise vectors, one coordinate apart, that come to one; noise close to the first has such a partner too.

    They are looked for next to ``trials`` that break nothing.
    """
    if alignment.lemmas:
        return None  # the image of a call's noise depends on the runs on D and on D′, and not on the alignment alone
    moves = 0
    for witness, trial in trials:
        for number, drawn in enumerate(trial.run.drawn):
            if deadline.passed or moves == MOST_MOVES:
                return None
            if not drawn.distribution.support.continuous or not trial.shifts.get(drawn.where):
                continue  # where a shift is 0 the image moves with the noise
            moves += 1
            pair = Collision(witness, _apart(trial, number))
            if not _comes_to(alignment, pair, trial):
                continue
            if collide(alignment, pair) and all(_partner(alignment, pair, n, number) for n in close_by(trial)):
                return pair
    return None


def _comes_to(alignment: AlignmentProgram, pair: Collision, trial: AlignedRun) -> bool:
    """Whether the other noise gives a trial's output and is moved to its image: D and the alignment alone tell."""
    context = ReplayContext(alignment.mechanism, exact_noise(dict(pair.other)))
    try:
        run = run_program(alignment.mechanism, pair.witness.values, context)
        if not run.defined or not alike(run.output, trial.run.output):
            return False
        shifts = shifts_for(alignment, pair.witness, run, AlignmentContext(run.H))
    except (InputError, Undefined):
        return False
    return {d.where: d.value + shifts[d.where] for d in run.drawn} == trial.noise_


def _apart(trial: AlignedRun, number: int) -> dict[str, Any]:
    """The noise of a run with one coordinate moved."""
    drawn = trial.run.drawn[number]
    return by_name({**trial.run.noise, drawn.where: drawn.value + STEP})


def _partner(alignment: AlignmentProgram, pair: Collision, noise: Mapping[str, Any], number: int) -> bool:
    """Whether other noise has a partner at the same coordinate."""
    witness = pair.witness.with_noise(noise)
    trial = replayed(alignment, witness)
    if trial is None or not trial.run.defined or number >= len(trial.run.drawn):
        return False
    return collide(alignment, Collision(witness, _apart(trial, number))) is not None
