"""Two noise vectors with one output and one image: what refutes that an alignment is one-to-one.

One such pair may be a coincidence of probability 0. It counts where it persists: noise close to the first vector, moved
in directions chosen at random, has a partner too, which the solver finds each time and which replays exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from alignkit.proving.deciding import Decider
from alignkit.proving.exploration import Exploration
from alignkit.proving.obligation import Obligation
from alignkit.proving.runs.second_run import OTHER
from alignkit.proving.stages.pairs_of_runs import pair_of_runs
from alignkit.proving.symbolic_inputs import Inputs
from alignkit.refuting.collided_runs import Collision, collide
from alignkit.refuting.convicting import coordinates, moved_slightly, replayed
from alignkit.refuting.model_reading import read_model
from alignkit.results import Witness
from alignkit.running.alignment_program import AlignmentProgram
from alignkit.running.both_runs import AlignedRun
from alignkit.symbolic.atoms import Symbol
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

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
