"""``find`` states the invariants that a proof needs beside the alignment, and no others."""

from __future__ import annotations

import re

import pytest

from alignkit import ABOVE, BELOW, Count, Epsilon, Noise, Queries, Real, find, mechanism
from alignkit.results import Verdict


@mechanism
def countdown(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    left = k
    for q_i in q:
        eta_i = noise.laplace(4 * k / eps)
        if q_i + eta_i >= T + eta:
            yield ABOVE
            left = left - 1
        else:
            yield BELOW
        over = left == 0
        if over:
            break


@mechanism
def pairs_of_answers(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(4 / eps)
    before = 0
    count = 0
    for q_i in q:
        eta_i = noise.laplace(8 * k / eps)
        if before + q_i + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        before = q_i
        if count >= k:
            break


@mechanism
def running_maximum(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    best = 0
    count = 0
    for q_i in q:
        best = max(best, q_i)
        eta_i = noise.laplace(4 * k / eps)
        if best + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def above_once(q: Queries, T: Real, eps: Epsilon, noise: Noise):
    eta = noise.laplace(2 / eps)
    seen = 0
    for q_i in q:
        eta_i = noise.laplace(4 / eps)
        if seen == 0 and q_i + eta_i >= T + eta:
            yield ABOVE
            seen = 1
        else:
            yield BELOW


@mechanism
def running_total(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """Not private for any claim: the total may change by as much as there are answers."""
    eta = noise.laplace(2 / eps)
    total = 0
    count = 0
    for q_i in q:
        total = total + q_i
        eta_i = noise.laplace(4 * k / eps)
        if total + eta_i >= T + eta:
            yield ABOVE
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


@mechanism
def one_threshold_more(q: Queries, T: Real, k: Count, eps: Epsilon, noise: Noise):
    """A threshold for each winner, as textbooks print it: the last winner draws one that nobody is compared with."""
    rho = noise.laplace(2 * k / eps)
    threshold = T + rho
    count = 0
    for q_i in q:
        nu = noise.laplace(4 * k / eps)
        if q_i + nu >= threshold:
            yield ABOVE
            rho_i = noise.laplace(2 * k / eps)
            threshold = T + rho_i
            count += 1
        else:
            yield BELOW
        if count >= k:
            break


NEEDED = [
    (countdown, ["left >= 1"]),
    (pairs_of_answers, []),
    (running_maximum, ["best - best_ <= 1", "best_ - best <= 1"]),
    (above_once, ["privacy_cost <= eps / 2 + seen * eps / 2"]),
]


@pytest.mark.parametrize(("mine", "invariants"), NEEDED, ids=lambda value: getattr(value, "name", ""))
def test_what_the_proof_needs_is_stated_and_nothing_else(mine, invariants):
    findings = find(mine, timeout=300)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == "eps"
    stated = re.findall(r'invariant=(\[.*?\]|".*?")', findings.proved.source)
    listed = f'"{invariants[0]}"' if len(invariants) == 1 else str(invariants).replace("'", '"')
    assert stated == ([listed] if invariants else [])


def test_the_claim_that_holds_pays_for_every_threshold():
    findings = find(one_threshold_more, timeout=300)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == "eps + eps / (2 * k)"
    assert "invariant" not in findings.proved.source


def test_invariants_are_looked_for_only_where_the_alignment_alone_is_undecided():
    *_, alone, stating = find(countdown, timeout=300).proposals
    assert alone.result.verdict is Verdict.UNDECIDED
    assert "invariant" not in alone.source
    assert stating.source.replace(', invariant="left >= 1"', "") == alone.source


@pytest.mark.slow
def test_no_invariant_makes_a_proof_for_a_state_that_drifts_apart():
    assert find(running_total).proved is None
