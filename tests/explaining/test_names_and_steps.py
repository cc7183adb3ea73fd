"""Names in the formulas of a written proof, statements between facts and a goal, and pieces of the noise."""

from __future__ import annotations

from functools import cache

import pytest
from support.defining import define_in

from alignkit.checking import check_with_proof
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.grounds import brief_solver, facts_used, in_steps
from alignkit.explaining.named_values import Named, comparisons_with_names, names_of, names_of_noise
from alignkit.proofs.exponential_mechanism import gap_phi, monotone_gap_phi
from alignkit.proofs.general_theorem import contracted_phi
from alignkit.proofs.output_shapes import index_and_gap_phi
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import substitute


@cache
def markdown(alignment):
    return WRITERS["markdown"](explain(alignment).document)


def all_names(alignment, proof):
    named = names_of(alignment, proof.theory.records)
    return (*names_of_noise(named, proof.theory.records), *named)


@pytest.mark.parametrize("alignment", [gap_phi, monotone_gap_phi, contracted_phi], ids=lambda a: a.mechanism.name)
def test_a_formula_with_names_says_what_it_says_without(alignment):
    _, proof = check_with_proof(alignment, effort=0)
    names = all_names(alignment, proof)
    assert {"level"} <= {named.name.key.removeprefix("H.") for named in names if named.moved is None}
    put_in, changed = Named(names), 0
    for goal in {d.obligation.goal for d in proof.decided if not isinstance(d.obligation.goal, bool)}:
        named, back = put_in(goal), put_in(goal)
        plain = [each for each in names if each.moved is None]
        for each in (*(each for each in names if each.moved is not None), *reversed(plain)):
            (atom,) = (each.name if each.moved is None else each.name + each.moved).atoms()
            back = substitute(back, {atom: each.value if each.moved is None else each.value + each.moved})
        changed += named != goal
        assert back == goal
    assert changed >= 3


TWO_NAMES = """
@mechanism
def two(q: Query, T: Real, eps: Epsilon, noise: Noise):
    margin = 5 * sqrt(2) / eps
    e = noise.laplace(1 / eps)
    if q + e >= T + {margin}:
        yield ABOVE
    else:
        yield BELOW

@alignment(two, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""


def test_a_name_stands_for_what_the_program_gave_it(tmp_path):
    assert "finds `T + 3 · margin ≤ q + e`" in markdown(define_in(tmp_path, TWO_NAMES.format(margin="3 * margin")).phi)


def test_a_name_with_two_values_is_not_used(tmp_path):
    source = TWO_NAMES.format(margin="3 * margin").replace("    e = noise", "    margin = margin + T\n    e = noise")
    assert "margin ≤" not in markdown(define_in(tmp_path, source).phi)


@pytest.mark.parametrize("alignment", [gap_phi, monotone_gap_phi], ids=str)
def test_statements_between_facts_and_a_goal_follow_and_suffice(alignment):
    solver = brief_solver()
    _, proof = check_with_proof(alignment, effort=0)
    names = all_names(alignment, proof)
    put_in, seen = Named(names), 0
    for o in (d.obligation for d in proof.decided if "in the output is the same" in d.obligation.words):
        facts = (*map(put_in, facts_used(o, solver)), *(named.definition for named in names))
        facts, goal = tuple(fact for fact in facts if fact is not True), put_in(o.goal)
        found = in_steps(facts, goal, comparisons_with_names(names, facts), solver)
        assert solver.decide((*found.facts, *([~goal] if found.absurd else [])), goal).outcome is Outcome.FOLLOWS
        for step, grounds in found.steps:
            seen += 1
            for each in grounds:
                assert solver.decide((*each.facts, each.where), step).outcome is Outcome.FOLLOWS
                # What a step rests on contradicts nothing: otherwise anything would follow.
                assert solver.satisfiable((*each.facts, each.where)).outcome is Outcome.POSSIBLE
    assert seen >= 2


def test_a_gap_of_the_exponential_mechanism_is_reasoned_as_a_reader_would():
    for text in map(markdown, (gap_phi, monotone_gap_phi)):
        assert "left out" not in text.partition("**Same output.**")[2]
        assert "* `level` is `max(u′[best] - u[best] + before, after)`." in text
        assert "`u′[best′] + g′[best′] ≤ level` (since" in text
        assert "since `before = u[best_2] + g[best_2]` (since" in text
        assert "`u′[best_2′] + g′[best_2′] = level` (where `after < level and before = u[best_2′] + g[best_2′]`" in text
        assert "where `argmax ≠ argmax_2 and after < level`" in text.partition("**Cost.**")[2]


def test_each_piece_of_the_noise_has_its_determinant():
    text = markdown(contracted_phi)
    case = "Where `eta < clamp(q, 1, 2)`, and where `q < 1`, `1 ≤ q′` and `q′ ≤ 2`"
    assert f"* {case}, det J = `q′`, which is not 0." in text
    assert "* Elsewhere det J is 1 or -1." in text
    assert f"* {case}, the shifts and -log |det J| cost at most" in text


def test_what_the_output_says_of_an_iteration_is_among_the_reasons():
    (line,) = [line for line in markdown(index_and_gap_phi).splitlines() if line.startswith("* So, by induction")]
    assert "since `(the last iteration + 1 ≤ len(q) and not omega is NOTHING and omega[0] = the last iteration)" in line
