"""``find`` proposes alignments that ``check`` proves, from the mechanism alone."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import pytest

from alignkit import (
    BELOW,
    Count,
    Epsilon,
    InputError,
    LanguageError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Sensitivity,
    check,
    find,
    load,
    mechanism,
    power,
)


@mechanism
def noisy_count(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta


@mechanism
def count_of_hundreds(q: Annotated[Query, Sensitivity(100)], eps: Epsilon, noise: Noise):
    eta = noise.laplace(50 / eps)
    return q + eta


@mechanism
def first_above(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    for q_i in q:
        xi = noise.laplace(4 / eps)
        if q_i + xi >= T + eta:
            yield True
            break
        else:
            yield False


@mechanism
def weighted_sum(a: Query, b: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(5 / eps)
    return 2 * a + 3 * b + eta


@mechanism
def without_noise_on_queries(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        if q_i >= T + eta:
            yield q_i
            count = count + 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def crowded_names(q: Queries, w: Real, i: Count, up: Positive, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    count = 0
    for q_i in q:
        xi = noise.laplace(4 * i / eps)
        if q_i + xi >= w + up + eta:
            yield q_i + xi - w - up - eta
            count = count + 1
        else:
            yield BELOW
        if count >= i:
            break


@mechanism
def two_answers_compared(q: Query, r: Query, eps: Epsilon, noise: Noise):
    e = noise.laplace(1 / eps)
    return q + e > r


@mechanism
def squared_noise(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return q + eta * eta


CATALOGUE = [
    ("laplace_mechanism", "l1", "eps"),
    ("noisy_max", "each", "eps"),
    ("noisy_max", "monotone", "eps / 2"),
    ("noisy_max_with_gap", "each", "eps"),
    ("noisy_max_with_gap_exponential", "each", "eps"),
    ("noisy_top_k", "monotone", "eps / 2"),
    ("exponential_mechanism", "each", "eps"),
    ("discrete_laplace_mechanism_base2", "each", "eta * delta"),
    ("sparse_vector", "each", "eps"),
    ("sparse_vector_monotone", "monotone", "eps"),
    pytest.param("sparse_numeric_by_shares", "each", "eps0 + eps1 + eps2", marks=pytest.mark.slow),
    ("discrete_sparse_vector", "each", "eta"),
    pytest.param("sparse_vector_clamped_about_answers", "each", "eps", marks=pytest.mark.slow),
    ("hybrid_identity", "each", "eps * len(omega) / k"),
]


@pytest.mark.parametrize(("name", "adjacency", "claim"), CATALOGUE, ids=lambda value: str(value))
def test_the_catalogues_claims_are_found_from_the_mechanism_alone(name, adjacency, claim):
    findings = find(load(name), adjacency=adjacency)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == claim


@pytest.mark.parametrize(
    ("mine", "claim"), [(noisy_count, "eps"), (count_of_hundreds, "2 * eps"), (weighted_sum, "eps")], ids=str
)
def test_mechanisms_that_no_shape_was_made_for(mine, claim):
    findings = find(mine)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == claim


def test_a_mechanism_that_gives_booleans():
    findings = find(first_above)
    assert findings.proved is not None, findings.reason
    assert findings.proved.result.cost == "eps"


def test_the_file_that_is_written_is_proved_by_a_check_of_its_own(tmp_path: Path):
    proposal = find(load("sparse_vector_with_gap")).proved
    assert proposal is not None
    file = tmp_path / "found.py"
    file.write_text(proposal.file_text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("found", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert check(module.phi).proved
    assert len(max(proposal.file_text.splitlines(), key=len)) <= 120


def test_nothing_is_found_where_an_answer_comes_out_without_noise():
    findings = find(without_noise_on_queries)
    assert findings.proved is None
    assert findings.reason


def test_two_demands_that_contradict_one_another_say_why_nothing_is_found():
    contradiction = find(without_noise_on_queries, effort=0).contradiction
    assert contradiction is not None
    below, above = contradiction.steps
    assert (below.code, above.code) == ("if q_i >= T + eta:", "if q_i >= T + eta:")
    assert "false on D" in below.words
    assert "true on D" in above.words
    assert (below.asked, above.asked) == ("shift(eta) >= 1", "shift(eta) <= 0")


def test_a_loser_that_the_released_maximum_must_not_pass():
    contradiction = find(load("noisy_max_with_maximum"), effort=0).contradiction
    assert contradiction is not None
    assert {step.code for step in contradiction.steps} == {"(best,) = largest(noisy, 1)", "return best, noisy[best]"}


def test_demands_that_can_be_met_contradict_nothing():
    assert find(noisy_count).contradiction is None


def test_what_an_attack_certifies_where_there_is_no_alignment():
    loss = find(load("sparse_vector_without_query_noise"), claim="eps", effort=100).loss
    assert loss is not None
    assert loss.violates


def test_a_claim_that_is_asked_for_is_proved_as_it_stands():
    findings = find(load("noisy_max"), claim="2 * eps")
    assert findings.proved is not None
    assert findings.proved.claim == "2 * eps"
    assert findings.proved.result.cost == "eps"


def test_where_a_claim_is_not_reached_the_cheapest_is_named():
    findings = find(load("noisy_max"), claim="eps / 3", effort=0)
    assert findings.proved is None
    assert findings.proved_instead is not None
    assert findings.reason == "the claim eps / 3 was not reached; what was proved is eps"


def test_only_the_shapes_that_are_asked_for_are_tried():
    gap = load("noisy_max_with_gap_exponential")
    assert find(gap, shapes="plain", effort=0).proved is None
    raised = find(gap, shapes=["raised"]).proved
    assert raised is not None
    assert raised.shape == "raised"


@pytest.mark.parametrize("make", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_an_executor_finds_the_same(make):
    gap = load("noisy_max_with_gap_exponential")
    with make(2) as executor:
        side_by_side = find(gap, executor=executor).proved
    alone = find(gap).proved
    assert side_by_side is not None
    assert alone is not None
    assert side_by_side.source == alone.source
    assert check(side_by_side.alignment).proved


def test_names_of_the_mechanism_are_not_taken_by_the_alignments_own():
    findings = find(crowded_names)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == "eps"


def test_the_docstring_says_that_a_condition_holds_on_both_or_on_neither():
    findings = find(two_answers_compared, effort=0)
    assert findings.proved is not None, findings.reason
    assert "so that `return q + e > r` goes the same way" in findings.proved.source
    threshold = find(load("noisy_threshold_test"), effort=0).proved
    assert threshold is not None
    assert "so that `q + eta >= 10_000` keeps its truth value" in threshold.source
    sparse = find(load("sparse_vector"), effort=0).proved
    assert sparse is not None
    assert "Moves eta by 1, so that `q_i + eta_i - (T + eta) >= 0` stays false." in " ".join(sparse.source.split())


def test_why_nothing_is_found_where_squared_noise_hides_the_answer():
    findings = find(squared_noise)
    assert findings.proved is None
    assert findings.reason.startswith("no alignment of the shapes that were tried meets the demands of")


@mechanism
def number_or_tag(q: Query, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    if q >= T:
        return q + eta
    else:
        return BELOW


def test_a_number_on_one_database_and_a_tag_on_the_other_need_no_alignment():
    assert find(number_or_tag, effort=0).proved is None


@mechanism
def huge_factor(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(1 / eps)
    return (q + eta) * power(1 + eps, 200)


def test_numbers_that_are_too_large_for_the_linear_program_end_the_search_in_words():
    findings = find(huge_factor, effort=0)
    assert findings.proved is not None or findings.reason


def test_finite_choices_are_refused_in_words():
    findings = find(load("lazy_threshold"))
    assert findings.proved is None
    assert "noise.choice" in findings.reason


def test_the_same_seed_finds_the_same():
    one, other = (find(load("noisy_max"), seed=7) for _ in range(2))
    assert [p.source for p in one.proposals] == [p.source for p in other.proposals]


def test_a_small_budget_ends_the_search_with_a_reason():
    findings = find(load("adaptive_sparse_vector"), budget=0.001)
    assert findings.proved is None
    assert "budget" in findings.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"adjacency": "near"}, "adjacency must be one of"),
        ({"budget": -1}, "budget"),
        ({"seed": "x"}, "seed"),
        ({"claim": 1}, "claim must be a string"),
        ({"shapes": "nice"}, "'nice' is no shape; the shapes are plain"),
        ({"shapes": []}, "shapes is empty"),
        ({"effort": -1}, "effort"),
        ({"executor": 2}, "executor"),
    ],
)
def test_bad_arguments_are_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        find(noisy_count, **arguments)


def test_a_claim_that_is_no_expression_is_refused():
    with pytest.raises(LanguageError, match="zeta"):
        find(noisy_count, claim="zeta")


def test_something_else_than_a_mechanism_is_refused():
    with pytest.raises(InputError, match="find takes a mechanism"):
        find(lambda q: q)
