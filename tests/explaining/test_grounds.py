"""The reasons of a written proof: they suffice, they are true, and they are what a reader would ask for."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import pytest

import alignkit
from alignkit.checking import check_with_proof
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.grounds import brief_solver, facts_used, follows, grounds_of, settled, steps_to
from alignkit.explaining.readable_formulas import chosen_among
from alignkit.proofs.adaptive_sparse_vector import phi as adaptive_phi
from alignkit.proofs.discrete_sparse_vector import phi as discrete_phi
from alignkit.proofs.general_theorem import contracted_phi
from alignkit.proofs.noisy_max import gap_phi as max_with_gap_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sums import smart_phi
from alignkit.proofs.top_k import phi as top_k_phi
from alignkit.symbolic.atoms import Conditional, Symbol
from alignkit.symbolic.formulas import Comparison
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.substitution import evaluate
from alignkit.symbolic.terms import Term
from alignkit.symbolic.trees import Role

EXPLAINED = [gap_phi, max_with_gap_phi, top_k_phi, contracted_phi]

X, Y = (Term.of(Symbol(name, Role.PUBLIC)) for name in "xy")


@cache
def markdown(alignment):
    return WRITERS["markdown"](explain(alignment).document)


@pytest.mark.parametrize("alignment", EXPLAINED, ids=lambda a: a.mechanism.name)
def test_reasons_follow_from_what_is_known_and_suffice(alignment):
    solver = brief_solver()
    _, proof = check_with_proof(alignment, effort=0)
    seen = 0
    for obligation in {d.obligation.key: d.obligation for d in proof.decided}.values():
        facts = facts_used(obligation, solver)
        if not facts:
            continue
        for grounds in grounds_of(facts, obligation.goal, solver):
            if grounds.goal is True:
                continue
            seen += 1
            absurd = grounds.absurd and not isinstance(obligation.goal, bool) and not grounds.never
            known = (*facts, grounds.where, *([~obligation.goal] if absurd else []))
            for fact in grounds.facts:
                assert solver.decide(known, fact).outcome is Outcome.FOLLOWS
            wanted = False if grounds.never or absurd else grounds.goal
            assert solver.decide((*grounds.facts, grounds.where), wanted).outcome is Outcome.FOLLOWS
    assert seen >= 5


@pytest.mark.parametrize("alignment", [gap_phi, adaptive_phi, smart_phi], ids=lambda a: a.mechanism.name)
def test_each_step_from_a_cost_to_its_claim_is_at_most_the_next(alignment):
    solver = brief_solver()
    _, proof = check_with_proof(alignment, effort=0)
    ends = {bound.total.compare("<=", bound.claim): bound for bound in proof.theory.bounds}
    longest = 0
    for obligation in (d.obligation for d in proof.decided if d.obligation.goal in ends):
        bound, facts = ends[obligation.goal], facts_used(obligation, solver)
        total = settled(bound.total, facts, solver)
        steps = (bound.total, total, *steps_to(total, bound.claim, facts, solver), bound.claim)
        longest = max(longest, len(steps))
        for one, other in pairwise(steps):
            assert solver.decide(obligation.hypotheses.whole, one.compare("<=", other)).outcome is Outcome.FOLLOWS
    assert longest > 3


def test_a_maximum_is_called_one_only_where_it_is():
    wanted = {"max": max, "min": min, "clamp": lambda x, low, high: low if x < low else min(high, x)}
    numbers = [Term.of(n) for n in range(-2, 3)] + [X, Y, X + Y, 2 * X]
    picks = random.Random(1)
    found = set()
    for _ in range(3000):
        one, other, then, otherwise, top = picks.choices(numbers, k=5)
        inner = (otherwise - top).compare("<=", 0)
        if picks.random() < 0.5 and not isinstance(inner, bool):
            otherwise = Term.of(Conditional(inner, otherwise, top))
        condition = (one - other).compare(picks.choice(["<", "<=", "=="]), 0)
        if not isinstance(condition, Comparison):
            continue
        atom = Conditional(condition, then, otherwise)
        chosen = chosen_among(atom)
        if chosen is None:
            continue
        found.add(chosen[0])
        for x, y in ((x, y) for x in range(-3, 4) for y in range(-3, 4)):
            values = {"x": x, "y": y}
            arguments = [evaluate(term, lambda a, v=values: v[a.key]) for term in chosen[1]]
            assert evaluate(Term.of(atom), lambda a, v=values: v[a.key]) == wanted[chosen[0]](*arguments)
    assert {"max", "min"} <= found


def test_a_gap_is_released_alike_by_the_order_of_the_others():
    text = markdown(max_with_gap_phi)
    assert (
        "* `argmax` is the first position of the largest value over which a `max` is taken: "
        "`q[j] + eta[j] ≤ q[argmax] + eta[argmax]` for every other `j` with "
        "`j ≥ 0 and j + 1 ≤ len(q) and j ≠ best`."
    ) in text
    same, cost = (text.partition(f"**{name}.**")[2].partition("\n**")[0] for name in ("Same output", "Cost"))
    # Either run may have D's winner second: what D′ ranks is said of two different positions.
    otherwise = "for otherwise `q[best_2] + eta[best_2] < q[best] + eta[best]`"
    assert f"`best = best′`, where `best = best_2′`, {otherwise}" in same
    assert f"; where `best ≠ best_2′`, {otherwise}" in same
    assert "The real part of the output is the same on D′: `q′[argmax_2] + q[best_2]" in same
    assert "| · eps / 2 ≤ eps`, since `q[argmax_2] + eta[argmax_2] ≤ q[argmax] + eta[argmax]`" in cost


def test_the_selection_lemma_is_cited_where_its_premise_is_obliged():
    text = markdown(top_k_phi)
    assert (
        "where `k ≤ rank[r]`, `q′[r] + eta[r] < q[s] + eta[s] + 1 or "
        "(q[s] + eta[s] + 1 = q′[r] + eta[r] and s + 1 ≤ r)`, "
        "since `q[r] + eta[r] < q[s] + eta[s]` and `q′[r] ≤ q[r] + 1`; this is the premise of the selection lemma"
    ) in text
    assert "`position[j] = position′[j]`, by the order of `largest` and the selection lemma" in text
    assert "selection lemma" not in markdown(max_with_gap_phi)


def test_a_cost_comes_to_its_claim_step_by_step():
    assert (
        "`|q[i] - q′[i] + 1| · eps / (4 · k) + privacy_cost ≤ eps / (2 · k) + privacy_cost ≤ "
        "eps / 2 + eps / (2 · k) + eps · count / (2 · k) ≤ eps`"
    ) in markdown(gap_phi)


def test_numbers_in_a_tuple_are_told_and_long_conditions_are_written_as_clamp():
    text = markdown(adaptive_phi)
    assert re.search(r"`yield TOP, q_i \+ xi_i - threshold, eps2`\) D′ gives the number that D gives", text)
    assert "D′ finds `eta + T + 2 · sigma ≤ q[i] + xi_i[i]`" in text
    assert "`sigma` is `sigma`" not in text
    text = markdown(discrete_phi)
    assert "D′ finds `clamp(q′[i], low, high) + nu_i[i] < clamp(rho + delta, clamp(q′[i], low, high) - w," in text
    assert "goes the way of D" not in text


def test_of_the_bounds_on_a_cost_those_are_shown_that_matter():
    assert markdown(smart_phi).count("So, by induction, `privacy_cost") == 1


def test_each_position_that_a_shift_reads_is_told():
    text = markdown(max_with_gap_phi)
    for read in (r"eta\[argmax\]", r"eta\[argmax_2\]", "each eta among which it chooses"):
        assert rf"The shift of eta\[i\] reads {read}, whose own shift reads no noise: `best ≠ p`" in text


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("alignment", [gap_phi, max_with_gap_phi, top_k_phi], ids=lambda a: a.mechanism.name)
def test_what_holds_for_all_programs_names_a_chapter_that_exists(alignment):
    pages = re.findall(r"\\\[(docs/theory/[^\]]*)\\\]", markdown(alignment))
    assert len(pages) >= 2
    for page in pages:
        file, _, chapter = page.replace("\\", "").partition("#")
        text = (Path(alignkit.__file__).parents[1] / file).read_text(encoding="utf-8")
        assert chapter in map(anchor, re.findall(r"^#+ (.*)$", text, re.MULTILINE))


def test_an_iteration_is_spoken_of_only_where_there_is_a_loop():
    assert "`i` is the iteration at hand" in markdown(gap_phi)
    assert "`i` is the iteration at hand" not in markdown(max_with_gap_phi)


def test_a_proof_says_which_sentences_hold_for_all_programs():
    text = markdown(gap_phi)
    _, proof = check_with_proof(gap_phi, effort=0)
    assert f"All else was decided for this program, as {len(proof.decided)} obligations." in text
    assert "**For all programs.** The bound on ln `f(x) / f(x + shift)`" in text


def test_a_solver_that_was_asked_much_answers_as_a_new_one_does():
    x, y, z = (Term.of(Symbol(name, Role.PUBLIC)) for name in "xyz")
    facts = (x.compare("<", y), y.compare("<", z), (x * y).compare(">", 0), z.compare("<", 0), x.compare("==", -1))
    goals = (x.compare("<", z), z.compare("<", x), (x * z).compare(">", 1), y.compare("<", -1), False)
    old = brief_solver()
    for number in range(len(facts) + 1):
        for some in combinations(facts, number):
            for goal in goals:
                assert follows(some, goal, old) == follows(some, goal, brief_solver()), (some, goal)
