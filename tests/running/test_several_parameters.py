"""Inputs with several private parameters: adjacency ``one`` and ``l1`` count the answers of all of them together."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice
from typing import Annotated

import pytest

from alignkit import Epsilon, InputError, Lattice, Noise, Queries, Query, Sensitivity, alignment, mechanism
from alignkit.attacking import attack
from alignkit.attacking.attack_aim import AttackAim
from alignkit.attacking.attack_search import lattice_starts
from alignkit.attacking.cases import starting_cases
from alignkit.proving.deciding import Decider
from alignkit.proving.facts.hypotheses import Hypotheses
from alignkit.proving.obligation import Obligation
from alignkit.proving.symbolic_inputs import bounded
from alignkit.refuting.random_search import RandomSearch
from alignkit.releasing.exact_release import check_rounding
from alignkit.running.adjacency import Adjacency, check_adjacent
from alignkit.running.adjacent_pairs import level_pair, random_pairs
from alignkit.symbolic.z3_solver import Z3Solver

Wide = Annotated[Queries, Sensitivity(2), Lattice(1)]
Fine = Annotated[Queries, Sensitivity(2), Lattice(Fraction(1, 8))]


@mechanism
def counts(q: Queries, s: Queries, c: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield c + e
    for x, y in zip(q, s):
        f = noise.laplace(1 / eps)
        yield x + y + f


def shifts(q, q_, s, s_, c, c_, H):
    return H.shift(e=c - c_, f=[q[i] - q_[i] + s[i] - s_[i] for i in range(min(len(q), len(s)))])


@mechanism
def on_lattices(q: Wide, s: Fine, eps: Epsilon, noise: Noise):
    for x in q:
        e = noise.discrete_laplace(2 / eps, 1)
        yield x + e
    for y in s:
        f = noise.discrete_laplace(2 / eps, 1 / 8)
        yield y + f


@mechanism
def different(q: Queries, s: Wide, eps: Epsilon, noise: Noise):
    e = noise.laplace(2 / eps)
    f = noise.laplace(2 / eps)
    return q[0] + e, s[0] + f


def given(q_, s_, c_):
    """A replay's answers: those of D are 0."""
    return {"q": [0, 0], "s": [0, 0], "c": 0, "q_": q_, "s_": s_, "c_": c_, "eps": 1, "H": {"e": 0, "f": [0, 0]}}


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("adjacency", "answers", "words"),
    [
        ("one", ([1, 0], [0, 1], 0), "more than one answer of q and s and c changes"),
        ("one", ([0, 0], [0, HALF], HALF), "more than one answer of q and s and c changes"),
        ("one", ([0, 2], [0, 0], 0), r"q\[1\] changes by 2"),
        ("few(2)", ([1, 0], [0, HALF], -HALF), r"more than 2 answers of q and s and c change; adjacency is 'few\(2\)'"),
        ("few(2)", ([0, 2], [0, 0], 0), r"q\[1\] changes by 2"),
        ("l1", ([1, 0], [0, HALF], 0), "the changes of q and s and c add up to 3/2, more than 1"),
        ("l1", ([HALF, 0], [0, -HALF], HALF), "the changes of q and s and c add up to 3/2, more than 1"),
        ("monotone", ([1, 0], [0, 0], -1), "some answers rise and others fall"),
    ],
)
def test_pairs_in_which_the_parameters_change_by_too_much_together_are_refused(adjacency, answers, words):
    phi = alignment(counts, epsilon="3 * eps", adjacency=adjacency)(shifts)
    with pytest.raises(InputError, match=words):
        phi.replay(**given(*answers))


@pytest.mark.parametrize(
    ("adjacency", "answers"),
    [
        ("one", ([0, 0], [0, -1], 0)),
        ("one", ([0, 0], [0, 0], 1)),
        ("few(2)", ([1, 0], [0, -HALF], 0)),
        ("few(9)", ([1, 1], [1, -1], -1)),
        ("l1", ([Fraction(1, 4), 0], [0, -HALF], Fraction(1, 4))),
        ("monotone", ([1, 0], [1, 1], 1)),
    ],
)
def test_pairs_that_fit_together_are_replayed(adjacency, answers):
    phi = alignment(counts, epsilon="4 * eps", adjacency=adjacency)(shifts)
    assert phi.replay(**given(*answers)).violation is None


def test_l1_needs_one_sensitivity_for_all_parameters():
    assert alignment(different, epsilon="eps", adjacency="one")
    with pytest.raises(InputError, match=r"declare different ones \(q: 1, s: 2\)"):
        alignment(different, epsilon="eps", adjacency="l1")
    with pytest.raises(InputError, match="declare different ones"):
        attack(different, adjacency="l1")


@pytest.mark.parametrize("adjacency", [Adjacency.ONE, Adjacency.L1, Adjacency.read("few(3)")])
@pytest.mark.parametrize("program", [counts, on_lattices])
def test_pairs_that_searches_try_are_adjacent_and_change_every_parameter(program, adjacency):
    source = random.Random(3)
    public = {"eps": Fraction(1)}
    pairs = list(islice(random_pairs(program, adjacency, source), 200))
    pairs += [level_pair(program, adjacency, public, 3, source, number) for number in range(60)]
    aim = AttackAim(program, adjacency)
    starts = lattice_starts(aim, public, source) if program is on_lattices else starting_cases(aim, public, source)
    pairs += [case.inputs for group in islice(starts, 60) for case in group]
    moved = set()
    for pair in pairs:
        check_adjacent(adjacency, program, pair.values, pair.values_)
        moved.add(frozenset(name for name in program.private if pair.q[name] != pair.q_[name]))
    assert {name for names in moved for name in names} == set(program.private)
    assert (frozenset(program.private) in moved) == (adjacency is not Adjacency.ONE)


@pytest.mark.parametrize(
    ("adjacency", "excluded", "allowed"),
    [(Adjacency.ONE, ("1/4", "1/4", 0), ("1", 0, 0)), (Adjacency.L1, ("1/2", "1/2", "1/4"), ("1/2", "1/4", "1/4"))],
)
def test_inputs_of_a_given_size_are_those_that_are_adjacent(adjacency, excluded, allowed):
    inputs = bounded(counts, adjacency, 2, {})

    def possible(changes):
        moved = [
            (inputs.values_["q"][1] - inputs.values["q"][1]).compare("==", Fraction(changes[0])),
            (inputs.values["s"][0] - inputs.values_["s"][0]).compare("==", Fraction(changes[1])),
            (inputs.values_["c"] - inputs.values["c"]).compare("==", Fraction(changes[2])),
        ]
        hypotheses = Hypotheses.of([*inputs.domain, *moved])
        decider = Decider(Z3Solver.of_one_check(), 10)
        return not decider.decide(Obligation("cost", hypotheses, False, "no such inputs")).holds

    assert possible(allowed)
    assert not possible(excluded)


def test_a_search_finds_the_change_of_a_later_parameter():
    def forgets_c(q, q_, s, s_, H):
        return H.shift(f=[q[i] - q_[i] + s[i] - s_[i] for i in range(min(len(q), len(s)))])

    for adjacency in ("one", "l1"):
        phi = alignment(counts, epsilon="3 * eps", adjacency=adjacency)(forgets_c)
        search = RandomSearch(phi, random.Random(1))
        found = search.go_on(60, 20)
        assert found is not None
        assert found.q["c"] != found.q_["c"]


def test_a_search_changes_two_parameters_at_once_under_l1():
    def right_if_one_of_them_changes(q, q_, s, s_, c, c_, H):
        pairs = [q[i] - q_[i] + s[i] - s_[i] for i in range(min(len(q), len(s)))]
        return H.shift(e=c - c_ if all(d == 0 for d in pairs) else 0, f=pairs)

    for adjacency, breaks in (("one", False), ("l1", True)):
        phi = alignment(counts, epsilon="4 * eps", adjacency=adjacency)(right_if_one_of_them_changes)
        assert (RandomSearch(phi, random.Random(1)).go_on(200, 20) is not None) == breaks


def test_rounding_under_l1_moves_the_answers_of_all_parameters_each_by_its_lattice():
    sizes = {"q": 3, "s": 4}
    public = {"eps": 1}
    with pytest.raises(InputError, match=r"up to 1 \+ 7, so it must declare at least 8"):
        check_rounding(on_lattices, public, "l1", 1, lambda: sizes)
    with pytest.raises(InputError, match="one number, which the changes of all answers add up to"):
        check_rounding(on_lattices, public, "l1", {"q": 1, "s": HALF}, lambda: sizes)


def test_a_public_list_that_is_read_row_by_row_has_an_item_for_each_product(define):
    rows = define("""
    @mechanism
    def rows(q: Queries, R: Reals, T: Reals, k: Count, eps: Epsilon, noise: Noise):
        for i in range(k):
            e = noise.laplace(1 / eps)
            yield sum(x for j, x in enumerate(q) if R[i * len(q) + j] > T[j]) + e
    """).rows
    for pair in islice(random_pairs(rows, Adjacency.ONE, random.Random(1)), 60):
        assert len(pair.public["R"]) >= pair.public["k"] * len(pair.q["q"])
        assert len(pair.public["T"]) == len(pair.q["q"])
