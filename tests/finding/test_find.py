"""``find`` proposes alignments that ``check`` proves, from the mechanism alone."""

from __future__ import annotations

import importlib.util
import re
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import pytest
from finding.found import found

from alignkit import (
    ABOVE,
    BELOW,
    Count,
    Epsilon,
    InputError,
    InternalError,
    LanguageError,
    Noise,
    Positive,
    Queries,
    Query,
    Real,
    Sensitivity,
    check,
    clamp,
    find,
    load,
    mechanism,
    power,
)
from alignkit.attacking.attack_aim import nothing_found
from alignkit.errors import OutOfTime
from alignkit.finding import search, shape_search


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
def hidden_twice(q: Query, r: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(2 / eps)
    y = noise.laplace(2 / eps)
    if q + x > r + y:
        yield ABOVE
    else:
        yield BELOW
    yield r + y


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
    findings = found(name, adjacency)
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
    proposal = found("sparse_vector_with_gap").proved
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


@pytest.mark.slow
def test_a_demand_on_noise_that_keeps_still_is_no_inequality_of_numbers():
    contradiction = find(load("sparse_vector_clamped_last"), effort=0).contradiction
    assert [step.asked for step in contradiction.steps] == [
        "noise would have to move that keeps still (nu_i[0] does not move here)"
    ]


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


@pytest.mark.parametrize("make", [ThreadPoolExecutor, pytest.param(ProcessPoolExecutor, marks=pytest.mark.slow)])
def test_an_executor_finds_the_same(make):
    with make(2) as executor:
        side_by_side = find(load("noisy_max_with_gap_exponential"), executor=executor).proved
    alone = found("noisy_max_with_gap_exponential").proved
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
    twice = find(hidden_twice, effort=0).proved
    assert twice is not None
    assert "Moves x by q - q_, so that `q + x > r + y` keeps its truth value." in " ".join(twice.source.split())
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


@mechanism
def mean_of_parts(q: Annotated[Queries, Sensitivity("delta")], delta: Positive, eps: Epsilon, noise: Noise):
    k = len(q)
    eta = noise.laplace(1 / (k * eps))
    return sum(clamp(q_i, 0, 1) for q_i in q) / k + eta


@mechanism
def quarter_of_the_budget(q: Query, eps: Epsilon, noise: Noise):
    eta = noise.laplace(eps / 4)
    return q + eta


def test_a_claim_is_a_number_over_the_budget_only_where_the_noise_grows_with_it():
    """At eps = 2 alone, eps and 4 / eps are the same."""
    findings = find(mean_of_parts, effort=0)
    assert findings.proved is None
    assert findings.proposals
    assert "/ eps" not in findings.reason
    assert find(quarter_of_the_budget).proved.claim == "4 / eps"


@pytest.mark.slow
def test_of_many_claims_that_were_not_proved_a_few_are_named():
    reason = find(load("sparse_vector_with_answer"), effort=0).reason
    assert re.fullmatch(r"none of \d+ proposals was proved, at the claims [^,]*, [^,]*, [^,]* and \d+ more; .*", reason)


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


def test_shifts_are_counted_in_the_largest_of_several_sensitivities():
    findings = find(above_beside_total, effort=0)
    assert findings.proved.claim == "9 * eps / 8"
    assert "return H.shift(eta=1, rho=total - total_, xi=[2 if w is not BELOW else 0 for w in omega])" in (
        findings.proved.source
    )


def test_a_docstring_says_once_what_all_draws_of_a_loop_move_by():
    source = " ".join(find(load("sparse_vector"), adjacency="one", effort=0).proved.source.split())
    assert "Moves eta_i by q[i] - q_[i]" in source
    assert source.count("by q[i] - q_[i]") == 1


def test_an_attack_that_finds_nothing_says_no_more_than_that(monkeypatch):
    monkeypatch.setattr(search, "attack", lambda *arguments, **settings: nothing_found())
    report = str(find(without_noise_on_queries))
    words = "an attack found no loss above 0 on the inputs that it tried, which is not a proof of privacy"
    assert f"  {words}" in report.splitlines()
    assert "loss at least" not in report


# What is proved stays


def raising(problem):
    def step(*arguments, **settings):
        raise problem

    return step


@pytest.mark.parametrize(("place", "what"), [("lower_bound", "the lower bound"), ("attacked", "the attack")])
@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (TypeError("a bug"), "internal error: TypeError: a bug (please report; ALIGNKIT_DEBUG=1 shows the traceback)"),
        (KeyboardInterrupt(), "the search was interrupted"),
        (OutOfTime(), "the time was used up"),
    ],
    ids=["error", "Ctrl-C", "time"],
)
def test_a_step_after_the_proof_that_fails_leaves_the_proof(monkeypatch, place, what, problem, words):
    monkeypatch.setattr(search, place, raising(problem))
    findings = find(noisy_count, effort=20)
    assert findings.proved.claim == "eps"
    assert findings.notes == (f"{what} was not finished: {words}",)
    assert findings.interrupted == isinstance(problem, KeyboardInterrupt)
    assert f"  note: {what} was not finished: {words}" in str(findings).splitlines()


def test_a_failure_between_the_proof_and_a_smaller_claim_leaves_the_proof(monkeypatch):
    monkeypatch.setattr(shape_search, "_tightened", raising(TypeError("a bug")))
    findings = find(noisy_count)
    assert findings.proved.claim == "eps"
    assert findings.notes[0].startswith("the search for a smaller claim was not finished: internal error: TypeError")


@pytest.mark.parametrize("place", ["attacked", "lower_bound"])
def test_a_proof_that_another_engine_contradicts_is_not_printed(monkeypatch, place):
    monkeypatch.setattr(search, place, raising(InternalError("two engines disagree")))
    with pytest.raises(InternalError):
        find(noisy_count, effort=20)


def test_what_is_proved_is_told_before_a_lower_bound_is_looked_for():
    told = []
    findings = find(noisy_count, so_far=told.append)
    assert [each.proved.source for each in told] == [findings.proved.source]
    assert told[0].lower_bound is None
    assert findings.lower_bound is not None


def test_progress_says_what_check_does_for_each_claim():
    steps = []
    find(noisy_count, progress=steps.append)
    assert steps[0] == "running the mechanism"
    assert "the claim eps: proving" in steps
    assert steps[-1] == "looking for a lower bound"


def test_the_solver_of_the_linear_program_prints_nothing(capfd):
    find(load("noisy_max_discrete"), effort=0)
    assert capfd.readouterr() == ("", "")


def test_finite_choices_are_refused_in_words():
    findings = find(load("lazy_threshold"))
    assert findings.proved is None
    assert "noise.choice" in findings.reason


def test_the_same_seed_finds_the_same():
    one, other = (find(load("noisy_max"), seed=7) for _ in range(2))
    assert [p.source for p in one.proposals] == [p.source for p in other.proposals]


def test_a_short_timeout_ends_the_search_with_a_reason():
    findings = find(load("adaptive_sparse_vector"), timeout=0.001)
    assert findings.proved is None
    assert "the time" in findings.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"adjacency": "near"}, "adjacency must be one of"),
        ({"timeout": -1}, "timeout"),
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
