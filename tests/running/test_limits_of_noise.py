"""Runs of an alignment with limits: noise outside of them is told apart, and convicts nobody."""

from __future__ import annotations

from fractions import Fraction

import pytest
from support.claims_with_delta import (
    DELTA,
    NOTHING,
    key_and_count,
    key_and_count_phi,
    key_phi,
    whole_key,
    whole_key_phi,
)

from alignkit import InputError, alignment, check
from alignkit.explaining import trace
from alignkit.releasing import release, release_interactively

INSIDE = {"q": 1, "q_": 0, "tau": 5, "eps": 1, "H": {"x": 3}}
OUTSIDE = {**INSIDE, "H": {"x": 7}}
WORDS = "outside the limits: x is 7, not below its limit 4; delta pays for such noise"


def test_a_replay_within_the_limits_is_judged() -> None:
    replay = key_phi.replay(**INSIDE)
    assert (replay.outside, replay.violation, replay.cost) == (None, None, 0)
    assert str(replay).endswith("  cost 0 <= claim 1 (eps)\n  no condition fails on this pair of runs")


def test_a_replay_outside_of_them_says_so_and_judges_nothing() -> None:
    replay = key_phi.replay(**OUTSIDE)
    assert (replay.output, replay.output_) == (8, NOTHING)
    assert replay.violation is None
    assert replay.outside == "x is 7, not below its limit 4"
    text = str(replay)
    assert text.endswith(f"  {WORDS}")
    assert "cost" not in text
    assert "no condition fails" not in text


def test_a_draw_at_its_limit_is_outside() -> None:
    assert key_phi.replay(**{**INSIDE, "H": {"x": 4}}).outside == "x is 4, not below its limit 4"
    assert key_phi.replay(**{**INSIDE, "H": {"x": Fraction(39, 10)}}).outside is None


def test_a_trace_of_both_runs_says_the_same() -> None:
    assert trace(key_phi, **INSIDE).conclusion == "cost 0, claim 1; no condition fails on this pair of runs"
    assert trace(key_phi, **OUTSIDE).conclusion == WORDS


def test_a_limit_of_a_lemma_counts_too() -> None:
    """Without it the call would be taken to fail: D shows the key, and D′ does not."""
    inputs = {**OUTSIDE, "H": {"noisy_key_x": 7, "y": 0}}
    replay = key_and_count_phi.replay(**inputs)
    assert replay.violation is None
    assert replay.outside == "in the call of noisy_key, x is 7, not below its limit 4"
    within = key_and_count_phi.replay(**{**inputs, "H": {"noisy_key_x": 3, "y": 0}})
    assert (within.outside, within.violation, within.cost) == (None, None, 1)
    assert check(key_and_count_phi).proved


def test_a_pure_claim_has_no_lemma_with_delta() -> None:
    """What the call loses would not be told."""
    with pytest.raises(InputError, match=r"claims \(eps, exp.*\)-differential privacy.*state it"):
        @alignment(key_and_count, epsilon="2 * eps", lemmas=[key_phi])
        def pure_phi(q, q_, H):
            return H.shift(y=q - q_)


def test_a_claim_with_delta_is_released_on_a_lattice_for_fixed_queries() -> None:
    proof = check(whole_key_phi).require()
    assert proof.delta == "exp(-eps * (tau - 1)) / (1 + exp(-eps))"
    assert release(whole_key, 1000, proof=proof, tau=5, eps=1) > 5
    assert release(whole_key, 0, proof=proof, tau=5, eps=1) is NOTHING
    with pytest.raises(InputError, match="fixed in advance"):
        release_interactively(whole_key, proof=proof, tau=5, eps=1)
    with pytest.raises(InputError, match="ideal reals"):
        release(key_phi.mechanism, 3, proof=check(key_phi), tau=5, eps=1)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"queries": "adaptive"}, "fixed in advance"),
        ({"delta": 1}, "a probability below 1"),
        ({"delta": "len(omega)"}, "may not depend on the output"),
    ],
)
def test_what_a_claim_with_delta_may_not_be(claim: dict[str, object], words: str) -> None:
    with pytest.raises(Exception, match=words):
        @alignment(key_phi.mechanism, epsilon="eps", **{"delta": DELTA, **claim})
        def other_phi(q, q_, H, tau):
            return H.shift(x=0).below(x=tau)
