"""A claim with delta is reported with its delta everywhere, and never as if it were pure."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest
from support.claims_with_delta import (
    CLAIM,
    DELTA,
    NOTHING,
    cheap_phi,
    delta_by_a_square_phi,
    key_and_count_phi,
    key_phi,
    noisy_key,
    small_delta_phi,
)

from alignkit import Epsilon, Noise, Query, Real, Sensitivity, alignment, check, mechanism
from alignkit.checking import fold_privacy
from alignkit.reporting.full_report import plain_text
from alignkit.reporting.html_report import result_html
from alignkit.reporting.json_documents import results_json
from alignkit.reporting.problems_for_ci import ci_problems, github_report, junit_report, sarif_report
from alignkit.reporting.sentences import common_ground
from alignkit.reporting.terminal import overview_lines
from alignkit.results import Result, Verdict


@alignment(noisy_key, epsilon="eps", expect="undecided")
def without_delta(q, q_, H):
    """Without delta the claim is false, and nothing that proves a claim with delta says otherwise."""
    return H.shift(x=q - q_)


@alignment(noisy_key, epsilon="2 * eps", delta=DELTA)
def larger_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@mechanism
def noisy_answer(q: Query, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    return q + x


@alignment(noisy_answer, epsilon="eps")
def answer_phi(q, q_, H):
    return H.shift(x=q - q_)


@alignment(noisy_answer, epsilon="eps", delta="1 / 10", expect="undecided")
def limited_answer_phi(q, q_, H):
    return H.shift(x=q - q_).below(x=5 if q != q_ else None)


@mechanism
def key_of_twice(q: Query, tau: Real, eps: Epsilon, noise: Noise):
    shown = noisy_key(2 * q, tau, eps, noise)
    return shown


@alignment(key_of_twice, epsilon="2 * eps", delta="exp(-eps * (tau - 1))", lemmas=[key_phi], expect="undecided")
def two_steps_of_the_lemma_phi(H):
    """Twice the epsilon and the delta of one step; two steps have exp(eps) + 1 times the delta."""
    return H.shift()


@mechanism
def key_of_two(q: Annotated[Query, Sensitivity(2)], tau: Real, eps: Epsilon, noise: Noise):
    x = noise.laplace(1 / eps)
    if q > 0 and q + x >= tau:
        return q + x
    return NOTHING


@alignment(key_of_two, epsilon="2 * eps", delta="exp(-eps * (tau - 1))", expect="refuted")
def two_steps_phi(q, q_, H, tau):
    """The same without a lemma: for eps above log(2) the limit is broken more often."""
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@alignment(key_of_two, epsilon="2 * eps", delta="exp(-eps * (tau - 1)) / 2 + exp(-eps * (tau - 2)) / 2")
def formula_phi(q, q_, H, tau):
    new = (q <= 0) != (q_ <= 0)
    return H.shift(x=0 if new else q - q_).below(x=tau - max(q, q_) if new else None)


@pytest.fixture(scope="module")
def proved() -> Result:
    return check(key_phi).require()


@pytest.fixture(scope="module")
def refuted() -> Result:
    return check(cheap_phi).require()


@pytest.fixture(scope="module")
def undecided() -> Result:
    return check(delta_by_a_square_phi).require()


@pytest.fixture(scope="module")
def broken_too_often() -> Result:
    return check(small_delta_phi)


def test_a_proof_has_both_parts_of_the_claim_and_no_worst_case(proved: Result) -> None:
    assert (proved.claim, proved.delta) == ("eps", DELTA)
    assert (proved.cost, proved.attained, proved.attained_at, proved.slack) == (None,) * 4
    assert (proved.privacy.stated, proved.privacy.upper) == ("private", None)
    assert pickle.loads(pickle.dumps(proved)).delta == DELTA


def test_the_text_says_what_is_proved_and_where(proved: Result) -> None:
    text = plain_text(proved)
    assert text.startswith(f"PROVED  noisy_key / key_phi    claim: {CLAIM}    ")
    assert f"the mechanism noisy_key is private as claimed: {CLAIM}" in text
    assert "where no limit is broken: the shifts cost at most eps" in text
    assert "the claim's epsilon, eps, is what the shifts cost at most where no limit is broken\n" in text
    assert f"the claim's delta, {DELTA}, bounds the probability that one is" in text
    assert "eps-DP" not in text
    assert "worst case" not in text
    assert "tags" not in text.replace("tags, indices", "")
    assert f"eps with delta = {DELTA}" in repr(proved)


def test_a_condition_that_holds_for_all_noise_is_not_hedged(proved: Result) -> None:
    hedged = {name for name, condition in proved.conditions.items() if condition.how.startswith("where no limit")}
    assert hedged == {"noise_used", "valid_noise", "same_output", "one_to_one", "cost"}


def test_html_and_json_have_delta(proved: Result, refuted: Result) -> None:
    for result in (proved, refuted):
        html = result_html(result)
        assert "differential privacy" in html
        assert "-DP" not in html
        document = json.loads(results_json([result]))["results"][0]
        assert document["delta"] == DELTA
        assert document["cost"] is document["worst_case"] is None


def test_a_pure_claim_has_the_delta_null() -> None:
    from alignkit.proofs.laplace import phi

    result = check(phi, effort=0)
    assert result.delta is None
    assert json.loads(results_json([result]))["results"][0]["delta"] is None


def test_a_table_says_that_there_is_a_delta(proved: Result, undecided: Result) -> None:
    lines = [line.text for line in overview_lines([proved, undecided], 200)]
    assert sum("eps, with delta" in line for line in lines) == 2
    assert common_ground([proved, undecided])[0] == "2 claims have a delta: -v shows them"
    assert common_ground([proved])[0] == "1 claim has a delta: -v shows it"


def test_a_refutation_is_of_the_claim_with_delta(refuted: Result) -> None:
    text = plain_text(refuted)
    assert text.startswith(f"REFUTED  noisy_key / cheap_phi    claim: (eps / 2, {DELTA})-differential privacy")
    assert "This refutes the alignment; it does not show that the mechanism leaks." in text


def test_undecided_by_the_limits_alone(undecided: Result) -> None:
    assert undecided.verdict is Verdict.UNDECIDED
    assert undecided.conditions["limits"].status is Verdict.UNDECIDED
    assert undecided.conditions["cost"].status is Verdict.PROVED


def test_limits_are_refuted_and_not_the_claim(broken_too_often: Result) -> None:
    assert broken_too_often.conditions["limits"].status is Verdict.REFUTED
    for text in (plain_text(broken_too_often), result_html(broken_too_often)):
        assert "this refutes the limits of the alignment, not the claim" in text
        assert "cost" not in text
    assert "This refutes the alignment; it does not show that the mechanism leaks." in plain_text(
        check(small_delta_phi, effort=0)
    )


def test_an_attack_is_on_delta_and_contradicts_no_proof(proved: Result, broken_too_often: Result) -> None:
    leak = proved.privacy.leak
    assert leak is not None
    assert not leak.violates
    assert "privacy loss" not in plain_text(proved)
    assert "    delta at epsilon 1 is at least 0.5 at tau = 1, eps = 1\n" in plain_text(proved)
    convicted = r"NOT PRIVATE as claimed: a violation was certified\n +delta at epsilon 2 is at least [\d.]+ at tau = "
    assert re.search(convicted, plain_text(broken_too_often))
    shown = json.loads(results_json([broken_too_often]))["results"][0]["privacy"]["leak"]
    assert shown["delta"] > shown["claimed_delta"]


def test_ci_formats_name_both_parts(undecided: Result, broken_too_often: Result, tmp_path: Path) -> None:
    assert ci_problems([broken_too_often])[0].rule == "limits"
    undecided = replace(undecided, expected=Verdict.PROVED)
    assert ci_problems([replace(undecided, privacy=broken_too_often.privacy)])[0].rule == "not_private"
    assert undecided.delta is not None
    claim = f"(eps, {undecided.delta})-differential privacy"
    problems = ci_problems([undecided])
    assert f"claim: {claim}" in problems[0].summary
    assert problems[0].rule == "limits"
    sarif = json.loads(sarif_report(problems, tmp_path, 3))["runs"][0]
    assert sarif["tool"]["driver"]["rules"][sarif["results"][0]["ruleIndex"]]["id"] == "limits"
    assert "differential privacy" in github_report(problems, tmp_path)
    assert f'<property name="delta" value="{undecided.delta}" />' in junit_report([undecided], [], tmp_path)


def test_a_call_takes_its_part_of_epsilon_and_of_delta() -> None:
    result = check(key_and_count_phi).require()
    call, own = result.calls
    assert (call.price, call.delta) == ("eps", "exp(eps - eps * tau) / 2")
    assert own.delta == f"what the calls leave of {DELTA}"
    text = plain_text(result)
    assert re.search(r"part: call of noisy_key \(line \d+\), by key_phi: costs at most eps; of delta at most exp", text)


def test_a_proof_with_delta_speaks_of_no_pure_claim(proved: Result) -> None:
    alignments = (key_phi, without_delta, larger_phi, small_delta_phi)
    results = [proved, *(check(each, effort=0) for each in alignments[1:])]
    # The verdicts are set aside: what counts is which claims the one proof speaks of.
    opened = [replace(r, privacy=replace(r.privacy, stated="open", upper=None)) for r in results[1:]]
    pure, larger, smaller = fold_privacy(alignments, [proved, *opened])[1:]
    assert (pure.privacy.stated, pure.privacy.upper) == ("open", None)
    assert larger.privacy.stated == "private"
    assert smaller.privacy.stated == "open"


def test_a_pure_proof_speaks_of_claims_with_delta() -> None:
    alignments = (answer_phi, limited_answer_phi)
    folded = fold_privacy(alignments, [check(each, effort=0) for each in alignments])
    assert [(each.delta, each.privacy.stated, each.privacy.upper) for each in folded] == [
        (None, "private", "eps"),
        ("1 / 10", "private", "eps"),
    ]


def test_a_result_that_lacks_the_condition_on_limits_is_no_proof(proved: Result) -> None:
    conditions = {name: condition for name, condition in proved.conditions.items() if name != "limits"}
    with pytest.raises(ValueError, match="limits"):
        replace(proved, conditions=conditions)


GROUPS = "k steps of this adjacency cost k * eps and delta * (exp(k * eps) - 1) / (exp(eps) - 1), where one step costs"


@pytest.mark.parametrize("phi", [two_steps_of_the_lemma_phi, two_steps_phi], ids=lambda phi: phi.name)
def test_a_claim_for_groups_is_told_what_one_step_gives(phi) -> None:
    result = check(phi, effort=0)
    assert not result.proved
    (note,) = [note for note in result.notes if note.startswith(GROUPS)]
    assert note.endswith("state the base claim, that of one step, instead")


def test_what_is_said_of_groups_holds_for_two_steps(proved: Result, undecided: Result) -> None:
    """With (exp(2 eps) - 1) / (exp(eps) - 1), which is exp(eps) + 1, the claim for two steps is proved."""
    result = check(formula_phi, effort=0)
    assert result.proved
    assert not any(note.startswith(GROUPS) for each in (result, proved, undecided) for note in each.notes)
