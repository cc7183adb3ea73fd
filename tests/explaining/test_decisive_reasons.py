"""What a written proof says of its rules: what a shift costs, how an induction begins, which end a cost is about."""

from __future__ import annotations

import random
import re
from functools import cache

import pytest
from support.defining import define_in
from support.examples import examples

from alignkit.checking import check_with_proof
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.grounds import brief_solver
from alignkit.proofs.adaptive_queries import online_gap_phi
from alignkit.proofs.black_box_gap import one_round_phi
from alignkit.proofs.clamping import clamped_first_phi
from alignkit.proofs.composition import measure_inlined_phi
from alignkit.proofs.discrete_selection import inner_gaps_phi
from alignkit.proofs.discrete_sparse_vector import gap_phi as discrete_gap_phi
from alignkit.proofs.exponential_mechanism import gap_phi as exponential_gap_phi
from alignkit.proofs.fresh_thresholds import gap_and_fresh_thresholds_phi
from alignkit.proofs.general_theorem import contracted_phi
from alignkit.proofs.hybrids import identity_phi
from alignkit.proofs.in_the_wild import nvflare_release_after_phi
from alignkit.proofs.in_the_wild_selection import prefix_sum_phi
from alignkit.proofs.laplace import phi as laplace_phi
from alignkit.proofs.measured_close_calls import close_calls_phi
from alignkit.proofs.output_shapes import list_phi
from alignkit.proofs.private_selection import selection_phi
from alignkit.proofs.several_loops import measure_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import short_shift_phi
from alignkit.proofs.sums import smart_phi, windows_phi
from alignkit.proofs.top_k import gap_phi as top_k_gap_phi
from alignkit.symbolic.solver import Outcome
from alignkit.symbolic.z3_solver import Z3Solver

FIXED = "the queries are fixed in advance"


@cache
def markdown(alignment):
    return WRITERS["markdown"](explain(alignment).document)


@pytest.mark.parametrize("alignment", [gap_phi, smart_phi, top_k_gap_phi][: examples(1, 3)], ids=str)
def test_a_solver_that_keeps_formulas_says_what_a_fresh_one_says(alignment):
    _, proof = check_with_proof(alignment, effort=0)
    kept, fresh, rng, seen = brief_solver(), Z3Solver(), random.Random(0), set()
    for o in (d.obligation for d in proof.decided if not isinstance(d.obligation.goal, bool)):
        facts = tuple(o.hypotheses.near)
        for share in (1, 0.9, 0.5, 0):
            some = tuple(fact for fact in facts if rng.random() < share)
            answers = {solver.decide(some, o.goal).outcome for solver in (kept, fresh)} - {Outcome.UNKNOWN}
            assert len(answers) <= 1
            seen |= answers
    assert seen == {Outcome.FOLLOWS, Outcome.POSSIBLE}


def test_it_is_said_what_a_shift_costs():
    assert "for Laplace(scale) noise `|shift| / scale`." in markdown(laplace_phi)
    assert "for Laplace(scale) noise `|shift| / scale`." in markdown(short_shift_phi)
    assert "on log2 `f(x) / f(x + shift)`" in markdown(discrete_gap_phi)
    assert "for Discrete Laplace, base 2(rate, lattice) noise `|shift| · rate`." in markdown(discrete_gap_phi)


def test_a_condition_that_both_runs_decide_alike_is_not_shown_with_its_opposite():
    text = markdown(discrete_gap_phi)
    assert "Each item of the output is the same on D′, since with the aligned noise put in, what D′ computes" in text
    for one, other in re.findall(r"`([^`]+?) ≤ ([^`]+?) or [^`]*`", text):
        assert f"{one} ≤ {other} or {other} < {one}" not in text


def test_an_invariant_is_said_to_hold_at_first_and_to_be_kept_in_which_iterations():
    at_first = "at first `k · theta + 1 ≤ k + theta`, since `theta < 1` and `k ≥ 1`"
    assert f"* `not (cost > eps - 2 * eps1)` ({at_first}; it is kept by an iteration" in markdown(close_calls_phi)
    case = "where `eta + T ≤ q[i] + eta_i[i]`, after which the loop goes on"
    assert f"* `count <= k` (it is kept by an iteration {case}, since `count + 2 ≤ k`)." in markdown(gap_phi)
    assert "* Every iteration draws eta_i." in markdown(gap_phi)


def test_a_cost_says_with_which_end_of_a_run_it_comes():
    text = markdown(gap_phi)
    left = "if the loop is left in an iteration where `eta + T ≤ q[i] + eta_i[i]`"
    assert f"* The shifts cost at most eps {left}: `|q[i] - q′[i] + 1|" in text
    assert "* The shifts cost at most eps where no iteration leaves the loop: `privacy_cost ≤" in text
    text = markdown(close_calls_phi)
    assert "if the loop is left in an iteration where `eta + T + far ≤ q[i] + eta_i[i]`: `|q[i]" in text


def test_a_bound_for_each_unit_of_change_comes_to_the_claim():
    shown = "* Adjacency bounds the sum of these changes, and so the cost of all shifts by the claim."
    assert shown in markdown(laplace_phi)


def test_the_assumptions_of_the_theorem_on_adaptive_queries_are_named():
    whole = markdown(online_gap_phi)
    text = whole.partition("**Adaptive queries.**")[2].partition("\n**")[0]
    assert re.findall(r"^\* \((.)\)", text, re.MULTILINE) == ["a", "b", "c", "d"]
    assert "The mechanism is online" in text
    assert "**Countable.** Beside the answers, which are fixed for a step, the shifts depend" in whole
    assert "(a)" not in markdown(gap_phi)


def test_queries_are_chosen_by_tags_where_they_can_be_asked_one_by_one():
    assert f"Assumption: {FIXED}, or chosen by the tags released so far \\[docs/theory/" in markdown(gap_phi)
    assert f"Assumption: {FIXED}." in markdown(windows_phi)


def test_a_refutation_refutes_the_alignment_only_and_names_its_file():
    text = markdown(short_shift_phi)
    assert "This refutes the alignment only." in text
    assert re.search(r"fails at line \d+ of mechanisms/sparse_vector\.py: ", text)


def test_names_of_selections_and_functions_are_explained():
    text = markdown(top_k_gap_phi)
    assert "* `s` and `r` are any two positions for which `rank[s] + 1 ≤ k` and `rank[s] + 1 ≤ rank[r]`." in text
    assert "* `total shift of the selected eta` is the number of these positions times what the shift of `d`" in text
    assert "`clamp(x, low, high)` is the number nearest to `x`" in markdown(clamped_first_phi)
    assert "that `largest` selects" not in markdown(measure_phi)


def test_a_cost_is_said_to_be_that_of_the_shifts():
    shown = "* Cost of the shifts, which may be more than what the mechanism loses: worst case: eps, attained;"
    assert shown in markdown(gap_phi)


def test_a_determinant_is_told_with_the_output_that_it_is_for():
    text = markdown(contracted_phi)
    below, inside = "Where `eta < clamp(q, 1, 2)`", "and where `1 ≤ q`, `1 ≤ q′`, `q ≤ 2` and `q′ ≤ 2`"
    assert f"* {below}, {inside}, det J = `q′ / q`, which is not 0." in text
    # A piece without runs is named once, and has no determinant.
    impossible = "`q < 1`, `1 ≤ q′` and `2 < q′`"
    assert text.count(impossible) == 1
    assert f"* No run is where `eta < clamp(q, 1, 2)`, and where {impossible}, since `q′ ≤ q + 1`" in text
    assert "`eta~` is `eta` for a second noise vector, with the same output and the same image" in text


def test_a_cost_with_a_logarithm_is_split_where_that_changes_its_sign():
    cost = markdown(contracted_phi).partition("**Cost.**")[2].partition("**One-to-one.**")[0]
    total = "eta · eps · q′ / q - log(|q′ / q|) - eta · eps"
    assert f"where `q ≤ q′`, `{total} ≤ eps`, since" in cost
    assert f"; where `q′ < q`, `{total} ≤ log(2)`, since" in cost


def test_each_part_of_an_item_of_the_output_has_a_reason():
    text = markdown(top_k_gap_phi)
    assert "* Each item of the output is the same on D′ (`j` is any of them, `0 ≤ j < k`): `position" in text
    assert "* `p` is, where one shift reads other noise, the position of what it reads." in text
    assert "* `j` is" not in text
    item = text.partition("* Each item of the output is the same on D′")[2].partition("\n")[0]
    assert "the real part is the same, where `rank[position′[j + 1]] + 1 ≤ k`, `" in item
    assert "; where `k ≤ rank[position′[j + 1]]`, `" in item  # the last gap, to the best of the others
    assert "`after = q′[position′[j + 1]] + eta[position′[j + 1]]` (since" in item
    assert "On D′ too, each position that the output names comes before every position that D ranks after it" in text
    assert "The inputs are ones for which the program is defined: `k + 1 ≤ len(q)`, which line " in text


def test_a_case_that_facts_exclude_is_named_as_impossible():
    text = markdown(exponential_gap_phi)
    case = "where `after < level and before ≠ u[best_2′] + g[best_2′]`"
    assert f"{case}, which is impossible, since `argmax_2 = best_2′ or" in text


def test_two_noise_vectors_with_one_image_are_equal_step_by_step():
    text = markdown(exponential_gap_phi).partition("are equal at g\\[i\\]")[2].partition("\n")[0]
    assert "(a) `level` is the largest of `u′[i] + g′[i]` over all `i`" in text
    assert "it is attained where `after < level` at `argmax`, and where `level ≤ after` at `argmax_2`" in text
    both, first, second, none = text.partition("(b) `before = before~`: ")[2].partition("; (c) ")[0].split("; where ")
    assert both.startswith("where `after < level` and `after~ < level~`, since `level = level~`, ")
    assert first.startswith("`after < level` and `level~ ≤ after~`, which is impossible, since ")
    assert "`g[argmax] < g′[argmax]`, `u[argmax] + g′[argmax] ≤ before~`, `level = level~` and the def" in first
    assert second == "`level ≤ after` and `after~ < level~`, which is impossible, for the same reason"
    assert "`before` is the largest of `u[i] + g′[i]`" in none
    assert "that only the first is moved there is impossible, since `u′[i] + g′[i] = level`" in text


def test_where_the_steps_of_two_noise_vectors_are_not_found_the_facts_are_named():
    text = markdown(top_k_gap_phi)
    assert "(a) `" not in text


@pytest.mark.slow
def test_of_the_selected_the_dearest_is_said_to_exist_where_it_does():
    text = markdown(inner_gaps_phi)
    assert "`d` is, of the positions that are selected, one whose shift costs most" in text
    named = "selected and other than `argmax`, `argmax_2` and `argmax_3`, one whose shift costs most"
    assert named in markdown(identity_phi)
    assert "one whose shift costs most; there is such a position, as `k ≥ 1`" in text
    assert "`eps · total shift of the selected eta / (2 · k) ≤ |q[d] - q′[d] + 1| · eps / 2 ≤ eps`" in text


def test_an_example_of_the_worst_case_has_no_ties():
    result, _ = check_with_proof(identity_phi)
    noise = result.attained_at.witness.H["eta"]
    assert len(set(noise)) == len(noise) == 3


TWO_CASES = """
@mechanism
def two(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    count = 0
    eta = noise.laplace(2 / eps)
    for q_i in q:
        xi = noise.laplace(4 * k / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            count += 1
            if count >= k:
                break
        else:
            yield BELOW

@alignment(two, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=1, xi=[2 if w is ABOVE else 0 for w in omega])
"""


def test_programs_of_users_get_the_same_sentences(tmp_path):
    text = markdown(define_in(tmp_path, TWO_CASES).phi)
    assert "after which the loop goes on, since `count + 2 ≤ k`" in text
    assert "if the loop is left in an iteration" in text


def test_a_way_out_of_a_loop_is_told_by_all_that_is_asked_of_the_noise_and_other_ways_stay_in_it():
    text = markdown(close_calls_phi)
    close = "where `q[i] + eta_i[i] < eta + T + far` and `eta + T ≤ q[i] + eta_i[i]`"
    assert f"if the loop is left in an iteration {close}: `|q[i] - q′[i] + 1| · eps1 / 2 + |q[i] - q′[i]|" in text
    below = "where `q[i] + eta_i[i] < eta + T + far` and `q[i] + eta_i[i] < eta + T`"
    assert f"* The loop is not left in an iteration {below}, since `2 · eps1 + cost ≤ eps`." in text


COUNTED = """
@mechanism
def counted(q: Query, k: Count, eps: Epsilon, noise: Noise):
    e = noise.laplace({scale})
    return q + e

@alignment(counted, epsilon="eps")
def phi(q, q_, H):
    return H.shift(e=q - q_)
"""


@pytest.mark.parametrize(("scale", "needed"), [("k / eps", True), ("1 / eps", False)])
def test_that_a_count_is_at_least_1_is_said_where_it_is_needed(tmp_path, scale, needed):
    text = markdown(define_in(tmp_path, COUNTED.format(scale=scale)).phi)
    assert "`q ≤ q′ + 1`" in text
    assert ("and `k ≥ 1`" in text) is needed


def test_a_variable_that_is_not_equal_has_a_base_and_a_step():
    text = markdown(gap_and_fresh_thresholds_phi)
    assert "* Before the loop `threshold = first + T`, `threshold′ = first + T + 1` and `count = 0`." in text
    assert "after which `threshold` is `fresh[i] + T` and `threshold′` is `fresh[i] + T + 1`" in text
    assert "fresh′[j] = fresh[j] + 1    for each j, where it is drawn" in text


def test_what_cannot_differ_is_told_with_the_variables_that_are_equal_and_no_letter_means_two_things():
    text = markdown(selection_phi)
    assert "* At line 80 both runs compute the same expression of `end`, by the invariants; at line 85 both" in text
    assert "at line 85 both compute the same expression of `end`, `found` and `top`, by the invariants." in text
    assert "* At line 81 (`if score >= tau:`) D′ finds `tau ≤ q + e[m]`, which is what D finds." in text
    assert "`m` is the iteration at hand" in text
    assert "if i[j] = 0" in text
    assert "[i]" not in text
    assert "`privacy_cost ≤ T · eps1`, by the bound on `privacy_cost`." in text


def test_a_line_that_gives_a_tag_is_not_said_to_read_a_variable():
    below, count = "* At line 51 both runs give `BELOW`", "at line 52 both compute the same expression of `count`"
    assert f"{below}; {count}, by the invariants." in markdown(gap_phi)


def test_a_list_that_grows_is_equal_on_both_runs_as_both_append_the_same():
    text = markdown(list_phi)
    assert "* `winners` is equal on D and D′ (at first it is the same list, and each iteration appends the same" in text
    assert "`winners`, by the invariants; at line 42 both give `winners`, by the invariants." in text
    assert "i in range(len(q)), where it is drawn" in re.sub(r"\s+", " ", text)


def test_that_both_outcomes_have_a_weight_names_the_domain_too():
    text = markdown(selection_phi)
    assert "is an outcome of a weight above 0: `0 < gamma` and `gamma < 1`." in text
    assert "the aligned i, stop are outcomes of weights above 0" in text


def test_draws_that_follow_a_schedule_are_told_by_the_output():
    text = markdown(smart_phi)
    assert "and how the run ends, tell which draws are made." in text
    assert "looked at by itself" not in text
    assert "list of draws" not in text


def test_a_way_on_which_the_runs_would_part_is_left_out_and_the_test_that_excludes_it_has_a_reason():
    text = markdown(one_round_phi)
    assert "that no run takes" not in text
    assert "In case" not in text
    for found in ("`m[best] + e > 0`", "`m[best] + e ≤ 0`"):
        assert f"since `best = best′` and {found}." in text.partition(f"Where {found}:")[2]


def test_a_path_that_is_excluded_is_no_case_and_its_exclusion_has_a_reason():
    text = markdown(prefix_sum_phi)
    assert "that the proof tells apart" not in text
    assert "in some" not in text
    found = "* At line 130 (`if s_i + e_i >= t + eta:`) D′ finds `t + eta ≤ s[i] + e_i[i]`, which is what D finds."
    assert f"Where `t + eta ≤ s[i] + e_i[i]`:\n\n{found}" in text
    assert "* It is excluded that D gives BELOW, but D′ gives ABOVE: where" in text
    assert "where `the answers do not rise`, since" in text


NAMES_TAKEN = """
@mechanism
def top(q: Queries, d: Count, s: Real, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 * d / eps) for q_i in q]
    return largest([q_i + s + eta_i for q_i, eta_i in zip(q, eta)], d)

@alignment(top, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(eta=[1 + q[i] - q_[i] if i in omega else 0 for i in range(len(q))])
"""


def test_a_name_of_the_program_is_not_given_to_something_else(tmp_path):
    assert "`d` is, of the positions" not in markdown(prefix_sum_phi)
    text = markdown(define_in(tmp_path, NAMES_TAKEN).phi)
    assert "* `dearest` is, of the positions that are selected" in text
    assert "there is such a position, as `d ≥ 1`" in text
    assert "q[dearest]" in text
    assert "* `chosen` and `r` are any two positions for which `rank[chosen] + 1 ≤ d`" in text


def test_a_clamped_number_lies_in_its_range():
    clamped = "`clamp(w, -gamma, gamma)` and `clamp(w′, -gamma, gamma)`"
    assert f"≤ eps`, since {clamped} lie between `-gamma` and `gamma`." in markdown(nvflare_release_after_phi)


def test_the_numbers_on_a_lattice_that_make_a_shift_are_named():
    numbers = "numbers on its lattice (`delta`, `q`, `q′`, `rho` and `w`)"
    assert f"Each shift of `nu_i` is a combination with whole factors of {numbers}" in markdown(discrete_gap_phi)


def test_ties_of_a_selection_in_a_called_mechanism_are_left_out_in_words():
    assert "Noise with which `largest` compares equal numbers on D has probability 0" in markdown(measure_inlined_phi)


def test_an_iteration_that_keeps_variables_equal_is_told_with_the_equation_of_their_values():
    case = "after which the loop goes on: `(q - q′ if i[m] = 0 else r - r′) + q′ = q`, since `i[m] = 0`"
    assert case in markdown(selection_phi)


def test_a_condition_has_no_ways_that_its_other_parts_deny():
    assert "for every other `j` with `j ≥ 0 and j + 1 ≤ len(q) and k ≤ rank[j]`" in markdown(top_k_gap_phi)
