"""What a proof knows of private answers that share a change holds of numbers: of every pair of adjacent inputs."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import Annotated

import pytest
from support.concrete_numbers import Numbers
from support.examples import examples

from alignkit import (
    Epsilon,
    Lattice,
    Noise,
    Positive,
    Queries,
    Query,
    Reals,
    Sensitivity,
    alignment,
    mechanism,
)
from alignkit.interpreting import operations as op
from alignkit.interpreting.exploring import Choices
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Caches
from alignkit.proving.facts.known_sums import accumulated_change, change_so_far, facts_of_sums, step
from alignkit.proving.facts.path_facts import Facts
from alignkit.proving.loops.head import SPENT
from alignkit.proving.obligation import Obligations
from alignkit.proving.proof import prove
from alignkit.proving.runs.loop_states import CHANGE, ITERATION, in_loop
from alignkit.proving.symbolic_inputs import RISES, primed, unbounded
from alignkit.proving.vectors.summing import oblige_rate
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import random_pairs
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.formulas import conjunction
from alignkit.symbolic.paths import Path
from alignkit.symbolic.summation import BOUND, running_sum
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role
from alignkit.symbolic.z3_solver import Z3Solver


@mechanism
def three(q: Queries, s: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[0] + s[0] + c + e


@mechanism
def one_list(q: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q[0] + c + e


@mechanism
def nothing_shared(q: Queries(sensitivity="width"), width: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(width / eps)
    return q[0] + e


# Of answers on a lattice it is known how little they may change by.
Stepped = Annotated[Queries, Sensitivity("width"), Lattice("step")]


@mechanism
def on_a_lattice(q: Stepped, s: Stepped, width: Positive, step: Positive, eps: Epsilon, noise: Noise):
    e = noise.laplace(width / eps)
    return q[0] + s[0] + e


@mechanism
def thresholds(q: Queries, s: Queries, T: Reals, eps: Epsilon, noise: Noise):
    for t in T:
        e = noise.laplace(1 / eps)
        yield sum(1 for x in q if x <= t) + e


@mechanism
def two_loops(q: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(2 / eps)
        yield q_i + e
    for q_i in q:
        f = noise.laplace(2 / eps)
        yield q_i + f


@mechanism
def two_lists(q: Queries, s: Queries, eps: Epsilon, noise: Noise):
    for q_i in q:
        e = noise.laplace(1 / eps)
        yield q_i + e
    for s_i in s:
        f = noise.laplace(1 / eps)
        yield s_i + f


@alignment(two_loops, epsilon="eps", adjacency="l1")
def loops_phi(q, q_, H):
    back = [q[i] - q_[i] for i in range(len(q))]
    return H.shift(e=back, f=back)


@alignment(two_lists, epsilon="eps", adjacency="l1")
def lists_phi(q, q_, s, s_, H):
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))], f=[s[i] - s_[i] for i in range(len(s))])


FEW = Adjacency.read("few(2)")
TIMES = [Term.of(Symbol(name, Role.INDEX, integer=True)) for name in ("i", "j")]


class _Numbers(Numbers):
    """The value of each atom for one pair of inputs, and for some values of the indices."""

    def __init__(self, mechanism, witness, indices, draw):
        both = {**witness.values, **{primed(name): value for name, value in witness.q_.items()}}
        arrays = {name: value for name, value in both.items() if isinstance(value, tuple)}
        moved, changes = (0, 0), []
        for number, name in enumerate(mechanism.private):
            one, other = witness.q[name], witness.q_[name]
            pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
            for i, (a, b) in enumerate(pairs):
                changes.append(b - a)
                if a != b:
                    moved = number, i
        special = {"changed": moved[1], "parameter that changes": moved[0]}
        super().__init__(draw, arrays, {**both, **special, **indices}, {RISES.name: max(changes) > 0})


def _facts(inputs):
    """All that is known of sums, of what was spent, and of single answers, at two indices."""
    answers = [Term.of(Element(primed(name), BOUND, Role.PRIVATE)) for name in inputs.vectors]
    bodies = [*answers, sum(answers, Term.of(0)), *(answer * 2 + 1 for answer in answers)]
    bodies += [Term.of(op.clamped(answers[0], 0, 1)), Term.of(op.maximum([answers[0] * 2, 0])), abs(answers[0])]
    stepped = inputs.least_change("q") is not None
    bodies += [Term.of(op.choose(answers[0].compare(">", 1), Term.of(2), Term.of(-1)))] if stepped else []
    owed = Obligations(Facts(Path(Choices()), inputs, lambda: None))
    for body in bodies:
        oblige_rate(owed, body, inputs.mechanism.program.place)
    assert len(owed.facts.rates) == (0 if inputs.adjacency is Adjacency.ONE else 3 + len(answers) + stepped)
    terms = [running_sum(body, t) for body in bodies for t in TIMES]
    steps = []
    if inputs.most_change is not None:
        terms += [change_so_far(inputs, t + more, name) for name in inputs.vectors for t in TIMES for more in (0, 1)]
        terms += [accumulated_change(inputs, t, name) for name in inputs.vectors for t in TIMES]
        steps = [step(inputs, t, name) for name in inputs.vectors for t in TIMES]
    mentioned = [term.compare("==", Term.of(Symbol("x", Role.STATE))) for term in terms]
    of_sums = facts_of_sums(inputs, owed.facts.rates, mentioned)
    places = [*TIMES, *map(Term.of, range(4))]
    elements = [Term.of(Element(name, t, Role.PRIVATE)) for name in inputs.vectors for t in places]
    of_answers = Caches().adjacency(inputs, [*of_sums, *(element.compare(">=", 0) for element in elements)])
    return [fact for fact in (*inputs.domain, *steps, *of_sums, *of_answers) if fact is not True]


@pytest.mark.parametrize("adjacency", [*Adjacency, FEW])
@pytest.mark.parametrize("program", [three, one_list, nothing_shared, on_a_lattice])
def test_what_is_known_holds_of_every_adjacent_pair(program, adjacency):
    inputs = unbounded(program, adjacency)
    facts = _facts(inputs)
    assert len(facts) > (15 if inputs.most_change is None else 50)
    source = random.Random(5)
    moved = set()
    for witness in islice(random_pairs(program, adjacency, source), examples(12, 60)):
        check_adjacent(adjacency, program, witness.values, witness.values_)
        moved |= {name for name in program.private if witness.q[name] != witness.q_[name]}
        lengths = {f"len({name})": len(witness.q[name]) for name in inputs.vectors}
        indices = {"i": source.randint(-2, 6), "j": source.randint(-2, 6), **lengths}
        numbers = _Numbers(program, witness, indices, source)
        assert [fact for fact in facts if not numbers.hold(fact)] == []
    assert moved == set(program.private)


def _facts_of_parameters(inputs):
    """What is known of sums that read items of a public list, a number or a list that a loop changes, or one answer."""
    answer = Term.of(Element(primed("q"), BOUND, Role.PRIVATE))
    own = Term.of(Element(primed("q"), TIMES[0], Role.PRIVATE))
    items = [Term.of(Element("T", t, Role.PUBLIC)) for t in TIMES]
    bodies = []
    for number in (*items, Term.of(Symbol("midpoint", Role.STATE)), own):
        bodies += [op.choose(answer.compare("<=", number), Term.of(1), Term.of(0)), abs(answer - number)]
        bodies += [op.clamped(answer, 0, op.maximum([number, 0]))]
    bodies += [op.choose(Term.of(Element("left", BOUND, Role.STATE)).compare(">", 0), answer, Term.of(0))]
    owed = Obligations(Facts(Path(Choices()), inputs, lambda: None))
    for body in map(Term.of, bodies):
        oblige_rate(owed, body, inputs.mechanism.program.place)
    terms = [running_sum(Term.of(body), t) for body in bodies for t in TIMES]
    mentioned = [term.compare("==", Term.of(Symbol("x", Role.STATE))) for term in terms]
    return owed, [fact for fact in facts_of_sums(inputs, owed.facts.rates, mentioned) if fact is not True]


@pytest.mark.parametrize("adjacency", [*Adjacency, FEW])
def test_what_is_known_of_sums_with_parameters_holds_of_every_adjacent_pair(adjacency):
    inputs = unbounded(thresholds, adjacency)
    owed, facts = _facts_of_parameters(inputs)
    assert len(owed.facts.rates) == (0 if adjacency is Adjacency.ONE else 4)
    assert len(facts) > 100
    decider = Decider(Z3Solver.of_one_check(), 60)
    assert all(decider.decide(obligation).holds for obligation in owed.listed)
    source = random.Random(7)
    for witness in islice(random_pairs(thresholds, adjacency, source), examples(8, 60)):
        lengths = {f"len({name})": len(witness.q[name]) for name in inputs.vectors}
        indices = {"i": source.randint(-2, 6), "j": source.randint(-2, 6), "midpoint": source.randint(-2, 2), **lengths}
        numbers = _Numbers(thresholds, witness, indices, source)
        numbers.arrays["left"] = [source.randint(-2, 2) for _ in witness.q["q"]]
        assert [fact for fact in facts if not numbers.hold(fact)] == []


@pytest.mark.parametrize("adjacency", [Adjacency.ONE, Adjacency.L1, Adjacency.read("few(1)")])
def test_what_is_known_excludes_pairs_in_which_two_parameters_change_in_full(adjacency):
    known = conjunction(tuple(_facts(unbounded(three, adjacency))))
    source = random.Random(5)
    still = next(w for w in random_pairs(three, adjacency, source) if w.q["c"] == w.q_["c"] and w.q["q"] != w.q_["q"])
    both = replace(still, q_={**still.q_, "c": still.q["c"] + 1})
    ways = []
    for which in range(len(three.private)):
        numbers = _Numbers(three, both, {"i": len(still.q["q"]), "j": 0, "len(q)": 1, "len(s)": 1}, source)
        numbers.single["parameter that changes"] = which
        ways.append(numbers.hold(known))
    assert not any(ways)


class _InLoops(_Numbers):
    """At a moment of each loop, what adjacency has spent on the answers that its iterations have read."""

    def __init__(self, inputs, witness, indices, draw):
        super().__init__(inputs.mechanism, witness, indices, draw)
        self.inputs = inputs

    def named(self, atom):
        if not atom.name.startswith(CHANGE):
            return super().named(atom)
        done = self.single[atom.name.replace(CHANGE, ITERATION.name)]
        return sum(self.value(self.inputs.change_at(Term.of(i))) for i in range(done))


@pytest.mark.parametrize("adjacency", [Adjacency.ONE, Adjacency.L1, FEW])
@pytest.mark.parametrize("aligned", [loops_phi, lists_phi], ids=["two loops", "two lists"])
def test_what_loops_know_of_the_change_holds_at_every_iteration(aligned, adjacency, monkeypatch):
    known, assume = {}, Facts.assume

    def noted(self, formula, origin, words=""):
        if words == SPENT and formula is not True:
            known[formula.key] = formula
        assume(self, formula, origin, words)

    monkeypatch.setattr(Facts, "assume", noted)
    prove(replace(aligned, adjacency=adjacency), Decider(Z3Solver.of_one_check(), 60), range(100))
    assert len(known) >= 6
    inputs, source = unbounded(aligned.mechanism, adjacency), random.Random(6)
    for witness in islice(random_pairs(aligned.mechanism, adjacency, source), 40):
        lengths = {f"len({name})": len(answers) for name, answers in witness.q.items()}
        iterations = {in_loop(ITERATION.name, loop): source.randrange(len(witness.q["q"])) for loop in (0, 1)}
        numbers = _InLoops(inputs, witness, {**lengths, **iterations}, source)
        assert [fact for fact in known.values() if not numbers.hold(fact)] == []
