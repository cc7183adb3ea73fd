"""Lower bounds: what every alignment of a shape costs at least, and where a proved claim is the cheapest."""

from __future__ import annotations

import os
import pickle
import random
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import pytest
from finding.found import found
from finding.reach import entries

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    Eta,
    Lattice,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Sensitivity,
    alignment,
    check,
    clamp,
    find,
    largest,
    load,
    mechanism,
)
from alignkit.finding.bounds.parametric_numbers import ParameterRegion, Range, SignUnknown
from alignkit.finding.bounds.shape_bounds import is_of_shape
from alignkit.finding.candidates import pose
from alignkit.language.parameters import Proportion
from alignkit.limits import Deadline
from alignkit.running.adjacency import Adjacency

CHEAPEST = [
    ("laplace_mechanism", "l1", "eps", "all delta, eps"),
    ("noisy_threshold_test", "each", "eps", "all eps"),
    ("noisy_max", "each", "eps", "all eps"),
    ("noisy_max", "monotone", "eps / 2", "all eps"),
    ("noisy_max_with_gap", "each", "eps", "all eps"),
    ("noisy_max_with_gap", "monotone", "eps / 2", "all eps"),
    ("noisy_max_exponential", "each", "eps", "all eps"),
    ("noisy_max_discrete", "each", "eps", "all eps"),
    ("exponential_mechanism", "each", "eps", "all delta, eps"),
    ("sparse_vector", "each", "eps", "k = 1, 2, 3; all T, eps"),
    ("sparse_vector_monotone", "monotone", "eps", "k = 1, 2, 3; all T, eps"),
    ("discrete_laplace_mechanism_base2", "each", "eta * delta", "all delta, gamma, eta"),
]
CHEAPEST_OF_LONGER_PROGRAMS = [
    ("noisy_top_k_with_gap", "each", "eps", "k = 1, 2, 3; all eps"),
    ("sparse_vector_with_gap", "each", "eps", "k = 1, 2, 3; all T, eps"),
    ("sparse_vector_with_gap_by_theta", "each", "eps", "k = 1, 2, 3; all T, eps, theta"),
    ("sparse_vector_with_gap_exponential", "each", "eps", "k = 1, 2, 3; all T, eps, theta"),
    ("sparse_numeric_by_shares", "each", "eps0 + eps1 + eps2", "c = 1, 2, 3; all T, delta, eps0, eps1, eps2"),
    ("sparse_without_numbers", "each", "3 * eps / 2", "c = 1, 2, 3; all T, delta, eps"),
    ("adaptive_sparse_vector", "each", "eps", "k = 1, 2, 3; all T, eps, theta"),
    ("sparse_vector_with_gap_geometric_in_steps", "each", "eps", "k = 1, 2, 3; all T, eps, theta"),
]


LONGER = [pytest.param(*row, marks=pytest.mark.slow) for row in CHEAPEST_OF_LONGER_PROGRAMS]


@pytest.mark.parametrize(("name", "adjacency", "claim", "region"), [*CHEAPEST, *LONGER], ids=str)
def test_claims_that_no_alignment_of_the_same_shape_undercuts(name, adjacency, claim, region):
    findings = found(name, adjacency)
    assert findings.proved.claim == claim
    assert findings.cheapest
    assert (findings.lower_bound.text, findings.lower_bound.region) == (claim, region)
    words = rf"no alignment of the shape {findings.proved.shape}( that .*)? costs less \({re.escape(region)}\)"
    assert re.search(words, str(findings))


@pytest.mark.slow
def test_a_claim_above_what_its_alignment_costs_is_not_the_cheapest():
    """The program never spends its whole budget for k > 1, and no claim of a simple form says so."""
    findings = find(load("adaptive_sparse_vector_2020"))
    assert findings.proved.claim == "eps"
    assert not findings.cheapest
    assert findings.lower_bound.text == "eps for k = 1, 7 * eps / 8 for k = 2, 11 * eps / 12 for k = 3"


def test_a_dearer_claim_that_was_asked_for_is_not_the_cheapest():
    findings = find(load("noisy_max"), claim="2 * eps")
    assert findings.proved.claim == "2 * eps"
    assert not findings.cheapest
    assert findings.lower_bound.text == "eps"
    assert "still where the output does not name its position costs at least eps (all eps)" in str(findings)


@mechanism
def same_either_way(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    xi = noise.laplace(1 / eps)
    if q + xi >= 0:
        return q + eta
    else:
        return q + eta


@alignment(same_either_way, epsilon="eps")
def moves_one_noise(q, q_, H):
    return H.shift(eta=q - q_)


def test_another_way_to_the_same_output_asks_for_nothing():
    """Led the way of D, D′ would ask that both noises move, at a cost of 2 eps."""
    assert check(moves_one_noise).proved
    findings = find(same_either_way)
    assert findings.proved is not None
    assert findings.lower_bound is None
    assert not findings.cheapest


@mechanism
def far_from_its_border(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.exponential(1 / eps)
    xi = noise.laplace(2 / eps)
    if eta >= clamp(q, 0, 1) - 2:
        return ABOVE, q + xi
    else:
        return BELOW, q + xi


@alignment(far_from_its_border, epsilon="eps / 2")
def moves_what_is_put_out(q, q_, H):
    return H.shift(xi=q - q_)


def test_a_comparison_whose_border_no_noise_reaches_asks_for_nothing():
    """If its noise could stand on the border, it would have to move too, at a cost of 3 eps / 2."""
    assert check(moves_what_is_put_out).proved
    findings = find(far_from_its_border)
    assert findings.proved is not None
    assert findings.lower_bound is None or findings.lower_bound.text == "eps / 2"


@mechanism
def half_steps(q: Annotated[Query, Lattice(1)], eps: Epsilon, noise: Noise):
    eta = noise.discrete_laplace(1 / eps)
    if 2 * (q + eta) >= 1:
        return ABOVE
    else:
        return BELOW


def test_a_border_beside_the_lattice_is_not_stood_on():
    findings = find(half_steps)
    assert findings.proved is not None
    assert findings.lower_bound is None


@mechanism
def first_above_on_a_lattice(
    q: Annotated[Queries, Lattice(1)], T: Annotated[Real, Lattice(1)], eps: Epsilon, noise: Noise
):
    eta = noise.discrete_laplace(2 / eps)
    for q_i in q:
        xi = noise.discrete_laplace(4 / eps)
        if q_i + xi >= T + eta:
            yield ABOVE
            break
        else:
            yield BELOW


def test_noise_on_a_lattice_that_is_below_its_border_is_a_whole_step_below():
    """Were it enough to stay on the border, the threshold would not have to move."""
    findings = find(first_above_on_a_lattice)
    assert findings.proved.claim == "eps"
    assert findings.cheapest


@mechanism
def best_of_two_kinds(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = [noise.laplace(2 / eps) for q_i in q]
    noisy = [q_i + eta_i for q_i, eta_i in zip(q, eta)]
    best, runner_up = largest(noisy, 2)
    return best


def test_an_unnamed_runner_up_leaves_other_ways_open():
    """With three answers D′ may have another runner-up, with two it has none: runs with two are enough."""
    findings = find(best_of_two_kinds)
    assert findings.proved.claim == "eps"
    assert findings.cheapest


@mechanism
def louder_than_needed(q: Annotated[Query, Sensitivity("delta")], delta: Proportion, eps: Epsilon, noise: Noise):
    eta = noise.laplace((1 + delta) / eps)
    return q + eta


def test_a_worst_case_that_no_claim_of_a_simple_form_meets_is_the_claim_and_the_cheapest():
    findings = find(louder_than_needed)
    assert findings.proved.claim == findings.proved.result.cost
    assert findings.cheapest
    assert findings.lower_bound.text == findings.proved.claim


def test_where_signs_depend_on_the_parameters_the_bound_is_one_at_stated_numbers():
    findings = find(load("sparse_vector_clamped_first"))
    assert findings.lower_bound.met
    assert findings.lower_bound.region == "T = 0, w = 1, c = 1, eps = 3/2"
    assert not findings.cheapest


def test_a_shape_without_coefficients_has_no_bound():
    findings = found("noisy_max_with_gap_exponential")
    assert findings.proved.shape == "raised"
    assert findings.lower_bound is None


def test_no_bound_is_looked_for_where_none_is_wanted():
    assert find(load("noisy_max"), bound=False).lower_bound is None


def test_findings_with_a_bound_can_be_sent_to_another_process():
    bound = found("sparse_vector").lower_bound
    assert pickle.loads(pickle.dumps(bound)) == bound


REPLAYED = [
    *("laplace_mechanism", "noisy_max", "sparse_vector"),
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("sparse_numeric_by_shares", "adaptive_sparse_vector")),
]


@pytest.mark.parametrize("name", REPLAYED)
def test_the_runs_that_force_a_bound_replay_and_the_dearest_costs_as_much(name):
    findings = found(name, "l1" if name == "laplace_mechanism" else "each")
    assert findings.lower_bound.cases
    for case in findings.lower_bound.cases:
        assert dearest_replay(findings, case) >= bound_on_the_runs(case)


def dearest_replay(findings, case) -> Fraction:
    """What the proved alignment costs at most on the runs of a bound, a little off the border; all replay."""
    costs = []
    for run in case.runs:
        near = run.near(Fraction(1, 1000))
        moved = {f"{n}_": v for n, v in near.q_.items()}
        replay = findings.proved.alignment.replay(**near.q, **moved, **near.public, H=near.H)
        assert replay.violation is None
        costs.append(replay.cost)
    return max(costs)


def bound_on_the_runs(case) -> Fraction:
    public = case.runs[0].witness.public
    return eval(case.text, {n: Fraction(v) for n, v in public.items() if not isinstance(v, tuple)})


def test_signs_are_told_for_a_whole_region():
    region = ParameterRegion({"eps": Range.POSITIVE, "theta": Range.SHARE, "T": Range.REAL})
    eps, theta, T = (region.symbol(name) for name in region.ranges)
    assert (eps - theta * eps).sign() == 1
    assert (theta * theta - theta).sign() == -1
    assert (T + eps - T).sign() == 1
    assert ((eps * eps + eps) / (eps + 1) - eps).sign() == 0
    with pytest.raises(SignUnknown):
        1 / (eps - 1)
    for unclear in (eps - 1, theta - Fraction(1, 2), T, T * T):
        with pytest.raises(SignUnknown):
            unclear.sign()


# Entries of the catalogue whose claim is not shown to be the cheapest of its shape.
OTHERS = {
    "adaptive_sparse_vector_2020",  # its claim wastes
    "sparse_vector_clamped_first",  # a bound at stated numbers only
    "sparse_vector_with_gap_geometric",
    "sparse_vector_with_gap_geometric_monotone",
    "sparse_vector_clamped_about_answers",  # no run has its noise on a border that D′ leaves in one way
    "discrete_sparse_vector",
    "adaptive_sparse_vector_geometric",
    "adaptive_sparse_vector_geometric_monotone",
    "adaptive_sparse_vector_geometric_in_steps",
    "adaptive_sparse_vector_geometric_in_steps_monotone",
    "hybrid_identity",  # claims that depend on the output
    "hybrid_estimates",
    "hybrid_identity_in_steps",
    "hybrid_estimates_in_steps",
    "exponential_mechanism_with_gap",  # the raised shape
    "noisy_max_with_gap_exponential",
    "noisy_top_k_with_gap_exponential",
    "discrete_sparse_vector_with_gap",  # nothing is found
    "discrete_sparse_vector_with_bounded_gap",
    "one_sided_threshold_test",
    "black_box_gap_in_one_round",
    "private_selection_in_all_rounds",
    "hard_stop_in_all_rounds",
    "noisy_two_discrete",
    "noisy_max_with_gap_of_two_discrete",
    "sparse_vector_twice",
    "top_k_then_measure",
    "noisy_max_then_sparse_vector",
    "answers_in_rounds",
    "answers_at_thresholds",
    "noisy_sum",
    "clipped_sum",
    "noisy_count",
    "noisy_average",
    "noisy_counter",
    "sliding_windows",
    "smart_sum",
    "winners_one_by_one",
    "numeric_or_zero",
    "sparse_vector_measuring_close_calls",
}


def test_the_page_counts_the_claims_that_are_the_cheapest():
    all_entries = list(entries())
    cheapest = [entry for entry in all_entries if entry.mechanism.name not in OTHERS]
    page = (Path(__file__).parents[2] / "docs" / "finding.md").read_text(encoding="utf-8")
    assert f"Of the catalogue's {len(all_entries)} rows, {len(cheapest)} have" in " ".join(page.split())


@pytest.mark.slow
@pytest.mark.parametrize("entry", list(entries()), ids=lambda e: f"{e.mechanism.name} {e.adjacency}")
def test_a_bound_is_never_above_the_claim_nor_above_the_cost_of_a_replay(entry):
    findings = find(entry.mechanism, adjacency=str(entry.adjacency))
    assert findings.cheapest == (entry.mechanism.name not in OTHERS)
    if findings.proved is None or findings.lower_bound is None:
        assert not findings.cheapest
        return
    source = random.Random(1)
    for case in findings.lower_bound.cases:
        # Shifts that read the noise cost a little less off the border.
        assert dearest_replay(findings, case) >= bound_on_the_runs(case) * Fraction(9, 10)
    for case in findings.lower_bound.cases:
        for _ in range(20):
            values = {name: _random(kind, source) for name, kind in entry.mechanism.public.items() if not kind.vector}
            values = {**values, **case.counts, **{n: v for n, v in case.at.items() if not isinstance(v, tuple)}}
            claims = [
                eval(findings.proved.claim, {"omega": range(n), "len": len, **values})
                for n in range(1 + values.get("k", 0))
            ]
            assert eval(case.text, dict(values)) <= max(claims)


def _random(kind, source: random.Random) -> Fraction:
    value = Fraction(source.randint(1, 99), 100 if isinstance(kind, Proportion) else source.randint(1, 30))
    return value if kind.positive or source.random() < 0.5 else -value


@mechanism
def one_step(q: Annotated[Query, Sensitivity("gamma"), Lattice("gamma")], gamma: Positive, eta: Eta, noise: Noise):
    e = noise.discrete_laplace_base2(eta, gamma)
    return q + e


def test_a_sensitivity_that_is_the_step_of_the_lattice():
    findings = find(one_step, effort=0)
    assert findings.proved is not None
    assert (findings.proved.claim, findings.cheapest) == ("eta * gamma", True)
    assert findings.lower_bound is not None
    assert findings.lower_bound.region == "all gamma, eta"


@mechanism
def at_most_four_k(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(100 * k / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            count = count + 1
        else:
            yield BELOW
            break
        if count >= 4 * k:
            break


@alignment(at_most_four_k, epsilon="eps / 20")
def answers_phi(q, q_, omega, H):
    return H.shift(nu=[q[i] - q_[i] for i in range(len(omega))])


def test_a_draw_that_the_search_keeps_still_is_named_in_the_bound():
    """Twelve outputs of one kind look as if they might come without end; here there are at most 4k."""
    assert check(answers_phi, effort=0).proved
    assert "that keeps nu still where the output is ABOVE" in str(find(at_most_four_k).lower_bound)


@mechanism
def a_bit(q: Query, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    nu = [noise.laplace(100 / eps) for i in range(2)]
    if q + nu[1] >= T + rho:
        return 1
    else:
        return 0


def test_a_draw_that_only_looks_like_a_losers_is_named_in_the_bound():
    assert "that keeps nu still where the output does not name its position" in str(find(a_bit).lower_bound)


@mechanism
def scaled(q: Query, theta: Proportion, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return (2 * theta - 1) * (q + eta)


def test_a_factor_that_is_0_at_some_parameters_leaves_no_bound_for_all():
    findings = find(scaled)
    assert not findings.cheapest
    assert findings.lower_bound is None or not findings.lower_bound.symbolic


@mechanism
def padded(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(1 / eps)
    nu = [noise.laplace(100 / eps) for x in q]
    n = len([T, *q])
    if q[0] + nu[0] + n >= T + rho + n:
        return ABOVE
    else:
        return BELOW


def test_a_list_with_public_numbers_that_no_draw_goes_with_is_not_taken_for_the_answers():
    assert find(padded, adjacency="one").proved.claim == "eps / 100"


@mechanism
def sided(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        nu = noise.laplace(4 / eps)
        if q_i + nu >= T + rho:
            yield ABOVE
            count = count + 1
        else:
            yield BELOW
            count = count + 2
        if count >= 2:
            break


def test_a_shift_that_is_given_first_is_named_in_the_bound():
    findings = find(sided, shapes=["one-shift-first"])
    assert "that moves rho by the sensitivity from the start" in str(findings.lower_bound)


# Which bounds are printed


@mechanism
def two_counts_and_their_mean(a: Query, b: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(4 / eps)
    y = noise.laplace(4 / eps)
    z = noise.laplace(4 / eps)
    return a + x, b + y, (a + b + z) / 2


def test_the_reciprocal_of_a_whole_number_is_exact_in_a_bound():
    findings = find(two_counts_and_their_mean)
    assert findings.proved.claim == "eps"
    assert findings.cheapest
    assert findings.notes == ()


@mechanism
def above_beside_total(
    q: Queries, total: Annotated[Query, Sensitivity(2)], T: Real, eps: Epsilon, noise: Noise
):
    eta = noise.laplace(2 / eps)
    rho = noise.laplace(16 / eps)
    for q_i in q:
        xi = noise.laplace(4 / eps)
        if q_i + xi >= T + eta:
            yield total + rho
            break
        else:
            yield BELOW


@alignment(above_beside_total, epsilon="9 * eps / 8")
def moves_the_threshold_by_one(q, q_, total, total_, omega, H):
    return H.shift(eta=1, rho=total - total_, xi=[2 if w is not BELOW else 0 for w in omega])


def test_a_bound_speaks_of_a_class_that_has_the_proposal():
    """Those that move eta by 2, the largest sensitivity, cost at least 15 eps / 8: more than the one that is found."""
    assert check(moves_the_threshold_by_one, effort=0).proved
    findings = find(above_beside_total)
    assert findings.proved.claim == "9 * eps / 8"
    assert findings.lower_bound is None or (findings.cheapest and findings.lower_bound.shape == "plain")
    grounds = pose(above_beside_total, Adjacency.EACH, 0, Deadline())
    for shape in grounds.shapes:
        if shape.name in ("plain", "one-shift-first"):
            member = is_of_shape(moves_the_threshold_by_one, shape, grounds.samples.pairs)
            assert member == (shape.name == "plain")


@mechanism
def until_the_budget_is_spent(q: Queries, T: Real, eps: Epsilon, share: Epsilon, noise: Noise):
    rho = noise.laplace(2 / eps)
    left = eps / 2
    for q_i in q:
        if left < share:
            break
        nu_i = noise.laplace(2 / share)
        if q_i + nu_i >= T + rho:
            yield ABOVE
            left = left - share
        else:
            yield BELOW


def test_a_bound_that_only_repeats_what_its_class_is_given_is_not_printed():
    """A shift of rho by 1 from the start costs eps / 2, whatever the other draws do."""
    findings = find(until_the_budget_is_spent)
    assert (findings.proved.shape, findings.proved.claim) == ("one-shift-first", "eps")
    assert findings.lower_bound is None


@mechanism
def two_ways_to_a_number(q: Query, eps: Epsilon, noise: Noise):
    xi = noise.laplace(8 / eps)
    zeta = noise.laplace(1 / eps)
    eta = noise.laplace(1 / eps)
    if q + xi >= 0:
        return ABOVE
    elif zeta >= 0:
        return q + eta
    else:
        return q + eta


def test_a_bound_is_not_printed_where_an_attack_certifies_more():
    assert find(two_ways_to_a_number).lower_bound.text == "eps / 8"
    attacked = find(two_ways_to_a_number, effort=20)
    assert attacked.proved.result.privacy.leak.loss > 0.5
    assert attacked.lower_bound is None


def test_a_bound_at_stated_numbers_says_what_the_claim_is_there():
    words = str(find(load("nvflare_selection_after"), adjacency="one").lower_bound)
    assert words.endswith("eps = 4/5, where the claim is 2/5 (shown there only)")


def test_a_bound_below_a_claim_that_depends_on_the_output_is_one_on_some_output():
    assert "costs at least eps on some output (k = 1; all T, eps, theta)" in str(find(load("hybrid_estimates")))


@mechanism
def large_counts(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    for q_i in q:
        e_i = noise.laplace(1 / eps)
        if q_i + e_i >= T:
            yield q_i + e_i
        else:
            yield BELOW


def test_what_several_kinds_of_output_have_in_common_is_said_once():
    words = str(find(large_counts, adjacency="one").lower_bound)
    assert "the answer alone where the output is a number or where the output is BELOW costs less (all T, eps)" in words


@pytest.mark.slow
def test_the_hashes_of_texts_change_nothing_that_is_found():
    program = "from alignkit import find, load; print(find(load('nvflare_selection_after'), adjacency='one', effort=0))"
    reports = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, text=True, capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(reports) == 1


def test_quotients_are_written_without_fractions_in_them():
    region = ParameterRegion({"eps": Range.POSITIVE, "ratio": Range.POSITIVE})
    eps, ratio = (region.symbol(name) for name in region.ranges)
    assert str(ratio * eps / 6 / (1 + ratio)) == "eps * ratio / (6 + 6 * ratio)"
