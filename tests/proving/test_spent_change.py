"""What a proof knows of private answers that share a change holds of numbers: of every pair of adjacent inputs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest

from alignkit import Epsilon, Noise, Queries, Query, mechanism
from alignkit.proving.facts.hypotheses import Caches
from alignkit.proving.facts.known_sums import facts_of_sums
from alignkit.proving.facts.spent_change import accumulated_change, change_so_far, step
from alignkit.proving.symbolic_inputs import primed, unbounded
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.evaluation import evaluate, holds
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.summation import BOUND, BOUND_SYMBOL, RunningSum, running_sum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@mechanism
def three(q: Queries, s: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[0] + s[0] + c + e


@mechanism
def one_list(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[0] + c + e


TIMES = [Term.of(Symbol(name, Role.INDEX, integer=True)) for name in ("i", "j")]


def _at(values, index):
    return values[index] if 0 <= index < len(values) else Fraction(0)


class _Numbers:
    """The value of each atom for one pair of inputs, and for some values of the indices."""

    def __init__(self, mechanism, witness, indices):
        self.values = {**witness.values, **{primed(name): value for name, value in witness.q_.items()}}
        self.indices = indices
        self.moved = (0, 0)
        for number, name in enumerate(mechanism.private):
            one, other = witness.q[name], witness.q_[name]
            pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
            for i, (a, b) in enumerate(pairs):
                if a != b:
                    self.moved = number, i

    def __call__(self, atom):
        if isinstance(atom, RunningSum):
            return self._summed(atom.body, int(evaluate(atom.index, self)))
        if isinstance(atom, Element):
            return _at(self.values[atom.array], int(evaluate(atom.index, self)))
        if atom.name in self.indices:
            return Fraction(self.indices[atom.name])
        special = {"changed": self.moved[1], "parameter that changes": self.moved[0]}
        return Fraction(special[atom.name] if atom.name in special else self.values[atom.name])

    def _summed(self, body, length):
        kept = self.indices.get(BOUND_SYMBOL.name)
        total = Fraction(0)
        for i in range(length) if length >= 0 else range(length, 0):
            self.indices[BOUND_SYMBOL.name] = i
            total += evaluate(body, self) * (1 if length >= 0 else -1)
        self.indices[BOUND_SYMBOL.name] = kept
        return total


def _facts(inputs):
    """All that is known of sums, of what was spent, and of single answers, at two indices."""
    answers = [Term.of(Element(primed(name), BOUND, Role.PRIVATE)) for name in inputs.vectors]
    bodies = [*answers, sum(answers, Term.of(0)), *(answer * 2 + 1 for answer in answers)]
    terms = [running_sum(body, t) for body in bodies for t in TIMES]
    terms += [change_so_far(inputs, t + more, name) for name in inputs.vectors for t in TIMES for more in (0, 1)]
    terms += [accumulated_change(inputs, t, name) for name in inputs.vectors for t in TIMES]
    mentioned = [term.compare("==", Term.of(Symbol("x", Role.STATE))) for term in terms]
    steps = [step(inputs, t, name) for name in inputs.vectors for t in TIMES]
    of_sums = facts_of_sums(inputs, {}, mentioned)
    elements = [Term.of(Element(name, t, Role.PRIVATE)) for name in inputs.vectors for t in TIMES]
    of_answers = Caches().adjacency(inputs, [*of_sums, *(element.compare(">=", 0) for element in elements)])
    return [fact for fact in (*inputs.domain, *steps, *of_sums, *of_answers) if fact is not True]


@pytest.mark.parametrize("adjacency", [Adjacency.ONE, Adjacency.L1])
@pytest.mark.parametrize("program", [three, one_list])
def test_what_is_known_holds_of_every_adjacent_pair(program, adjacency):
    inputs = unbounded(program, adjacency)
    facts = _facts(inputs)
    assert len(facts) > 50
    source = random.Random(5)
    moved = set()
    for witness in islice(random_pairs(program, adjacency, source), 60):
        check_adjacent(adjacency, program, witness.values, witness.values_)
        moved |= {name for name in program.private if witness.q[name] != witness.q_[name]}
        lengths = {f"len({name})": len(witness.q[name]) for name in inputs.vectors}
        numbers = _Numbers(program, witness, {"i": source.randint(-2, 6), "j": source.randint(-2, 6), **lengths})
        assert [fact for fact in facts if not holds(fact, numbers)] == []
    assert moved == set(program.private)


@pytest.mark.parametrize("adjacency", [Adjacency.ONE, Adjacency.L1])
def test_what_is_known_excludes_pairs_in_which_two_parameters_change_in_full(adjacency):
    known = conjunction(tuple(_facts(unbounded(three, adjacency))))
    source = random.Random(5)
    still = next(w for w in random_pairs(three, adjacency, source) if w.q["c"] == w.q_["c"] and w.q["q"] != w.q_["q"])
    both = replace(still, q_={**still.q_, "c": still.q["c"] + 1})
    ways = []
    for which in range(len(three.private)):
        numbers = _Numbers(three, both, {"i": len(still.q["q"]), "j": 0, "len(q)": 1, "len(s)": 1})
        numbers.moved = which, numbers.moved[1]
        ways.append(holds(known, numbers))
    assert not any(ways)
