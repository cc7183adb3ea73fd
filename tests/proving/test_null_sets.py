"""What is left out of account since it has probability 0, held against numbers.

Where an equation is said to hold with probability 0 only, there is one noise coordinate on which its difference depends
linearly, whatever all other numbers are: two values of this coordinate give two differences.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from support.concrete_numbers import Numbers

from alignkit import Epsilon, Noise, Proportion, Queries, alignment, mechanism
from alignkit.interpreting.exploring import Choices, explore
from alignkit.interpreting.values import Coordinate
from alignkit.noise import DISCRETE_LAPLACE, LAPLACE
from alignkit.proving.symbolic_inputs import unbounded
from alignkit.proving.symbolic_trial import SymbolicTrial
from alignkit.proving.vectors.ties import equals_no_fixed_number, tie_negligible
from alignkit.running.adjacency import Adjacency
from alignkit.symbolic.atoms import Element, Symbol
from alignkit.symbolic.paths import Path
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role


@mechanism
def one_draw(q: Queries, p: Proportion, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    yield q[0] + e


@alignment(one_draw, epsilon="eps")
def no_shift(q, q_, H):
    return H.shift()


@mechanism
def one_choice(q: Queries, p: Proportion, noise: Noise):
    number = noise.choice([max(0, p - 0.5), 0, 1 - p, max(0, 0.5 - p), p * p])
    yield number


@alignment(one_choice, epsilon="0")
def same_choice(q, q_, H):
    return H.shift()


PLACE = one_draw.program.place
ONE, OTHER, K = (Term.of(Symbol(name, Role.INDEX, integer=True)) for name in ("one", "other", "k"))
INDICES = (ONE, OTHER, ONE + 1, K, Term.of(0), Term.of(2))
# What has a density, and what may have atoms.
CONTINUOUS = frozenset({"eta", "xi", "e", "f"})
ARRAYS = ("eta", "xi", "steps")
SINGLE = ("e", "f", "step")
STATE = Term.of(Symbol("so far", Role.STATE))
OUTPUT = Term.of(Symbol("omega[0]", Role.OUTPUT))
PARAMETER = Term.of(Symbol("e", Role.PUBLIC))  # which has the name of a draw


def run_of(aligned, choices: Choices | None = None) -> SymbolicTrial:
    inputs = unbounded(aligned.mechanism, Adjacency.EACH)
    return SymbolicTrial(aligned, inputs, Path(choices or Choices()), lambda: None)


def random_term(draw: random.Random, depth: int = 2) -> Term:
    """A sum of noise, answers and other numbers, of which some decide which way it is, or multiply the others."""
    index = draw.choice(INDICES)
    if depth and draw.random() < 0.25:
        conditions = (index.compare("==", draw.choice((0, 1, K))), (index - K).compare("<=", 0))
        way = next((c for c in conditions if not isinstance(c, bool)), None)
        return random_term(draw, 0) if way is None else way.choose(random_term(draw, 0), random_term(draw, 0))
    answer = Term.of(Element("q", index, Role.PRIVATE))
    array = draw.choice(ARRAYS)
    parts = [Term.of(Element(array, index, Role.NOISE)), Term.of(Symbol(draw.choice(SINGLE), Role.NOISE))]
    rare = (STATE, OUTPUT, PARAMETER, parts[0] * parts[1], parts[1] * parts[1], abs(parts[0]), answer * parts[1])
    parts.append(Term.of(Element(array, draw.choice(INDICES), Role.NOISE)))
    if draw.random() < 0.3:  # one may be the other
        return answer + draw.choice((parts[0] - parts[2], parts[1] + STATE, parts[1] - OUTPUT))
    total = draw.choice((-2, -1, 1, Fraction(1, 2))) * draw.choice((*parts, PARAMETER))
    for _ in range(depth):
        other = draw.choice((*parts, answer, Term.of(3), draw.choice(rare)))
        total = total + draw.choice((-1, 1, 2)) * other
    return total


class Noisy(Numbers):
    """Numbers in which the state of a loop and the output are made of one coordinate of noise."""

    def named(self, atom):
        if atom.role in (Role.STATE, Role.OUTPUT):
            return self.single["factor"] * self.single["H.e" if atom.role is Role.STATE else "H.f"]
        return super().named(atom)


def numbers(draw: random.Random, one: int, other: int) -> Noisy:
    fine = {name: [Fraction(draw.randint(-10**6, 10**6), 997) for _ in range(5)] for name in (*ARRAYS, "q")}
    single = {f"H.{name}": Fraction(draw.randint(-10**6, 10**6), 997) for name in SINGLE}
    factor = draw.choice((-2, -1, 1, 2, Fraction(1, 2)))
    return Noisy(draw, fine, {**single, "one": one, "other": other, "k": draw.randrange(4), "e": 1, "factor": factor})


def coordinates(values: Noisy):
    """Ways to move one coordinate of noise that has a density, all else being the same."""
    for name in ("eta", "xi"):
        for i in range(len(values.arrays[name])):
            yield values.arrays[name], i
    for name in ("H.e", "H.f"):
        yield values.single, name


def moved_by_one_coordinate(difference: Term, values: Noisy) -> bool:
    """Whether some coordinate moves the difference linearly."""
    for place, at in coordinates(values):
        before = place[at]
        found = []
        for step in range(3):
            place[at] = before + step
            found.append(values.value(difference))
        place[at] = before
        if found[0] != found[1] and found[1] - found[0] == found[2] - found[1]:
            return True
    return False


def test_ties_left_out_of_account_are_solved_by_one_value_of_a_coordinate():
    draw, facts = random.Random(11), run_of(no_shift).facts
    answers = {True: 0, False: 0}
    for _ in range(800):
        difference = random_term(draw) - random_term(draw)
        negligible = tie_negligible(facts, difference, CONTINUOUS, (ONE, OTHER))
        answers[negligible] += 1
        for one, other in ((0, 2), (3, 1), (2, 3), (1, 0)) if negligible else ():
            assert moved_by_one_coordinate(difference, numbers(draw, one, other)), (difference, one, other)
    assert min(answers.values()) > 100


def test_a_number_that_equals_no_fixed_one_is_moved_by_a_coordinate():
    """Here any two indices may be the same."""
    draw, facts = random.Random(12), run_of(no_shift).facts
    answers = {True: 0, False: 0}
    for _ in range(800):
        value = random_term(draw)
        spread = equals_no_fixed_number(facts, value, CONTINUOUS)
        answers[spread] += 1
        for one, other in ((0, 2), (1, 1), (2, 1), (0, 0)) if spread else ():
            assert moved_by_one_coordinate(value, numbers(draw, one, other)), (value, one, other)
    assert min(answers.values()) > 100


CENSORED = replace(LAPLACE, name="censored", has_atoms=True)


@pytest.mark.parametrize(("distribution", "negligible"), [(LAPLACE, True), (CENSORED, False)])
def test_noise_with_atoms_may_tie_and_equal_a_fixed_number(distribution, negligible):
    trial = run_of(no_shift)
    run, length = trial.run, trial.inputs.values["q"].length
    e = run.draw(Coordinate("e"), distribution, (Term.of(1),), PLACE)
    eta = run.draw_family(Coordinate("eta"), distribution, lambda i: (Term.of(1),), length, PLACE).element
    q = trial.inputs.values["q"].element
    assert run.strictly(q(ONE) + eta(ONE) - q(OTHER) - eta(OTHER), (ONE, OTHER)) is negligible
    assert run.strictly(e - q(ONE), (ONE, OTHER)) is negligible
    assert run.spread(e - 3, 0) is negligible
    assert not run.spread(e - 3, 1), "it was drawn before"


def test_a_lattice_has_atoms():
    run = run_of(no_shift).run
    step = run.draw(Coordinate("e"), DISCRETE_LAPLACE, (Term.of(1), Term.of(1)), PLACE)
    assert not run.strictly(step - 1, (ONE, OTHER))
    assert not run.spread(step, 0)


def test_every_outcome_of_a_choice_that_has_a_weight_is_on_one_path():
    """Of the others nothing is said: a path that takes one is impossible."""

    def outcome(choices: Choices):
        trial = run_of(same_choice, choices)
        trial.run_d()
        return trial.run.drawn[0].outcome, tuple(trial.facts.path.assumed)

    paths, draw = list(explore(outcome)), random.Random(13)
    assert len(paths) > 3
    for share in (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10)):
        half = Fraction(1, 2)
        for number, weight in enumerate((max(0, share - half), 0, 1 - share, max(0, half - share), share * share)):
            values = Numbers(draw, {}, {"p": share, "number": number, "len(q)": 1})
            taken = [way for way, known in paths if all(map(values.hold, known))]
            assert taken == ([number] if weight > 0 else []), (share, number)
