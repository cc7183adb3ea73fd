"""Reasons in words: what adjacency says, the theorem of sums, the order of a selection; and what refutes a claim."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Annotated

import pytest

from alignkit import Epsilon, Lattice, Noise, Queries, Sensitivity, alignment, mechanism
from alignkit.checking import check_with_proof
from alignkit.explaining import WRITERS, explain
from alignkit.explaining.grounds import brief_solver, facts_used, follows
from alignkit.explaining.known_in_words import SUMS_PAGE, by_adjacency, by_selection_order, by_sums
from alignkit.proofs.composition import parts_phi
from alignkit.proofs.hybrids import identity_phi
from alignkit.proofs.sparse_vector import gap_phi
from alignkit.proofs.sparse_vector_broken import without_bound_phi
from alignkit.proofs.sums import windows_phi
from alignkit.symbolic.summation import running_sums


@cache
def text(proof):
    return WRITERS["markdown"](explain(proof).document).replace("\\", "")


@cache
def obligations(proof):
    return [d.obligation for d in check_with_proof(proof, effort=0)[1].decided]


def lines(proof, start):
    return [line for line in text(proof).splitlines() if line.startswith(start)]


def test_a_bound_over_windows_is_kept_by_the_triangle_inequality_and_the_window_before():
    of_iterations, of_windows = lines(windows_phi, "* So, by induction,")
    assert "(triangle inequality)" in of_iterations
    assert "a window gains" not in of_iterations
    assert "(triangle inequality)" in of_windows
    before = "(5) a window gains what the one before it did, with the term that enters, less the one that leaves"
    assert before in of_windows
    assert of_windows.endswith(f"[{SUMS_PAGE}].")


def test_no_sum_within_a_sum_is_left_to_the_reader():
    assert "< ·" not in text(windows_phi)
    (end,) = lines(windows_phi, "* The shifts cost at most eps where no iteration")
    assert "the bound" in end
    assert "a window gains between 0 and what adjacency allows" in end


def test_the_theorem_of_sums_is_cited_only_where_a_proof_uses_it():
    assert "theorem of sums" not in text(gap_phi)


def test_bounds_on_sums_do_not_follow_without_what_is_said_of_sums():
    solver = brief_solver()
    kept = [o for o in obligations(windows_phi) if o.condition == "cost" and o.invariant and o.goal is not True]
    assert len(kept) == 2
    for owed in kept:
        told, facts = by_sums(owed, solver)
        assert told
        assert not follows(facts, owed.goal, solver)
        assert not any(running_sums([fact]) and "cost so far" not in str(fact) for fact in facts)


def test_what_calls_are_passed_is_adjacent_since_the_answers_are():
    assert "formulas are left out" not in text(parts_phi)
    for what in ("an answer of q changes by at most 1", "at most one answer of q changes"):
        for call in (1, 2):
            (line,) = lines(parts_phi, f"* Call of noisy_histogram{call}: {what}")
            assert line.endswith("since, by adjacency, at most one answer changes, by no more than its sensitivity.")


def test_adjacency_is_no_reason_where_more_than_it_is_needed():
    solver = brief_solver()
    owed = [o for o in obligations(parts_phi) if o.condition == "cost" and not isinstance(o.goal, bool)]
    assert len(owed) == 5
    for obligation in owed:
        facts = facts_used(obligation, solver)
        assert by_adjacency(obligation, facts)
        assert not by_adjacency(obligation, (*facts, obligation.goal))


@pytest.mark.slow
def test_equal_positions_and_gaps_have_their_reasons():
    (position,) = lines(identity_phi, "* The whole number in the output is the same on D′")
    (gap,) = lines(identity_phi, "* The real part of the output is the same on D′")
    assert "`answers[position′[i]] + eta[position′[i]] < answers[position[i]] + eta[position[i]]`, as `rank" in position
    assert "`level < answers_[position[i]] + eta′[position[i]]`, and where `" in position
    assert position.endswith("elsewhere `answers_[position′[i]] + eta′[position′[i]] ≤ level`.")
    assert "where `rank[position[i + 1]] + 1 ≤ len(omega)`, since `position[i] = position′[i]`" in gap
    rises = "`answers_[position[i]] + before + eta′[position[i]] = answers[position[i]] + eta[position[i]] + level`"
    assert rises in gap
    behind = "where `len(omega) ≤ rank[position[i + 1]]`, since `position[i] = position′[i]`, "
    assert behind in gap
    assert "`position[i + 1] = position′[i + 1]` (as `position[i] = position′[i]` was shown, one rank further)" in gap
    left = "(as `position[i + 1]` comes first of those that are left)"
    assert f"`before = answers[position[i + 1]] + eta[position[i + 1]]` {left}" in gap
    assert "`answers_[position′[i + 1]] + eta′[position′[i + 1]] = level` (as `position′[i + 1]` comes first" in gap
    (selected,) = lines(identity_phi, "* D′ has selected what D has selected so far")
    assert "an iteration adds the same position on both: `position[i] = position′[i]`, as shown" in selected
    assert "formulas are left out" not in text(identity_phi)


def test_the_order_of_a_selection_is_no_reason_without_one():
    solver = brief_solver()
    owed = [o for o in obligations(windows_phi) if not isinstance(o.goal, bool)]
    assert owed
    assert all(by_selection_order(obligation, solver) == ((), ()) for obligation in owed)


def test_a_theorem_says_what_is_public_and_that_scales_are_above_0():
    (theorem,) = lines(gap_phi, "**Theorem.**")
    assert "D and D′ have the same `T`, `k` and `eps`, and the same number of answers." in theorem
    assert theorem.endswith("For all of these every scale of noise is above 0.")


def test_a_refuted_claim_is_stated_and_nothing_is_said_to_be_shown_of_it():
    (claim,) = lines(without_bound_phi, "**Claim, which this alignment does not prove.**")
    assert "has eps-DP for all adjacent D and D′" in claim
    assert "scale of noise" not in claim


def test_the_failure_that_is_shown_is_no_tie():
    assert "the same condition fails on all of 8 noise vectors tried near `H`" in text(without_bound_phi)
    found = explain(without_bound_phi).result.counterexample
    given = {**found.witness.public, **found.witness.q, **{f"{k}_": v for k, v in found.witness.q_.items()}}
    source = random.Random(0)
    for _ in range(5):
        near = {name: moved(value, source) for name, value in found.witness.H.items()}
        assert without_bound_phi.replay(**given, H=near).violation.condition == "cost"


def moved(value, source):
    if isinstance(value, list | tuple):
        return [moved(each, source) for each in value]
    return value + Fraction(source.randint(-1000, 1000), 10**6)


@mechanism
def counts(q: Annotated[Queries, Sensitivity(1), Lattice(1)], eps: Epsilon, noise: Noise):
    """Counts with noise that is too small."""
    e = [noise.discrete_laplace(1 / (2 * eps), 1) for _ in q]
    return [q_i + e_i for q_i, e_i in zip(q, e)]


@alignment(counts, epsilon="eps", adjacency="one")
def counts_phi(q, q_, H):
    """Refuted: half of what it costs."""
    return H.shift(e=[q[i] - q_[i] for i in range(len(q))])


def test_noise_on_a_lattice_has_a_probability_of_its_own():
    said = text(counts_phi)
    assert "No noise in it is continuous, so that `H` has a probability above 0." in said
    assert "tried near" not in said
