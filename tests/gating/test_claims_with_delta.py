"""A policy and a baseline look at both parts of a claim with delta."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from support.claims_with_delta import DELTA, key_phi

from alignkit import InputError, check
from alignkit.gating.baseline import BaselineEntry, read_baseline, write_baseline
from alignkit.gating.baseline_changes import changes_from_baseline
from alignkit.gating.breaches import policy_breaches
from alignkit.gating.policy import Policy, read_policy
from alignkit.results import Result

WHAT_TO_WRITE = (
    f"the claim has delta = {DELTA}, and the policy does not say that it accepts one; to accept it, write "
    f'delta = {{ noisy_key = "{DELTA}" }} under [tool.alignkit.policy]'
)


@pytest.fixture(scope="module")
def proved() -> Result:
    return check(key_phi, effort=0).require()


@pytest.fixture(scope="module")
def entry(proved: Result) -> BaselineEntry:
    return BaselineEntry.of(proved)


def breaches(result: Result, **settings: object) -> tuple[str, ...]:
    return policy_breaches(read_policy(settings, "here"), key_phi, result)


@pytest.mark.parametrize(
    "settings", [{}, {"claims": {"*": "eps"}}, {"undecided_blocks": True}, {"delta": {"other": 0.5}}]
)
def test_no_policy_accepts_delta_without_saying_so(proved: Result, settings: dict[str, object]) -> None:
    assert breaches(proved, **settings) == (WHAT_TO_WRITE,)


@pytest.mark.parametrize(
    ("most", "accepted"),
    [
        (DELTA, True),
        ("exp(-eps * (tau - 1))", True),
        ({"noisy_key": DELTA, "*": 1e-9}, True),
        ({"*": "exp(eps - eps * tau) / 2"}, True),
        ("exp(-eps * tau) / 2", False),
        (1e-9, False),
        (0, False),
        ({"noisy_key": 1e-9, "*": DELTA}, False),
    ],
)
def test_delta_must_be_proved_to_be_at_most_the_largest(proved: Result, most: object, accepted: bool) -> None:
    found = breaches(proved, delta=most)
    assert (found == ()) is accepted
    assert accepted or "is not proved to be at most" in found[0]


def test_a_number_is_compared_with_numbers(proved: Result) -> None:
    assert breaches(replace(proved, delta="1 / 1000000000"), delta=1e-9) == ()
    assert len(breaches(replace(proved, delta="1 / 999999999"), delta=1e-9)) == 1


def test_epsilon_is_bounded_beside_delta(proved: Result) -> None:
    assert breaches(proved, claims={"*": "eps"}, delta=DELTA) == ()
    [breach] = breaches(proved, claims={"*": "eps / 2"}, delta=DELTA)
    assert "the claim eps is not proved to be at most eps / 2" in breach


def test_a_largest_delta_that_names_another_parameter_is_a_breach(proved: Result) -> None:
    assert "cannot be compared" in breaches(proved, delta="k / 10")[0]


def test_a_second_opinion_is_for_small_inputs(proved: Result) -> None:
    assert str(proved.opinion) == "confirmed for n <= 2, k <= 2"
    assert breaches(proved, delta=DELTA, confirmed=2) == ()
    assert "confirmed for n <= 2, k <= 2" in breaches(proved, delta=DELTA, confirmed=3)[0]


@pytest.mark.parametrize("delta", [True, [], "", {"x": None}, float("inf")])
def test_what_is_no_delta_is_refused(delta: object) -> None:
    with pytest.raises(InputError, match="delta must be a number such as 1e-6"):
        read_policy({"delta": delta}, "here")


def test_a_mechanism_that_only_delta_names_may_be_misspelt(proved: Result) -> None:
    assert Policy(delta={"noisy_kee": "1", "*": "1"}).unused_names([proved]) == ("noisy_kee",)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, DELTA, [("worse", f"the claim has delta = {DELTA} now, and was pure")]),
        (DELTA, None, [("better", f"the claim is pure now, and had delta = {DELTA}")]),
        (DELTA, DELTA, []),
        (DELTA, "exp(-eps * (tau - 1))", [("worse", f"delta grew from {DELTA} to exp(-eps * (tau - 1))")]),
        ("exp(-eps * (tau - 1))", DELTA, [("better", f"delta shrank from exp(-eps * (tau - 1)) to {DELTA}")]),
        (DELTA, "1 / 2 * exp(eps - eps * tau)", []),
        (
            DELTA,
            "1 / 10",
            [("changed", f"delta changed from {DELTA} to 1 / 10; neither is proved to be at most the other")],
        ),
    ],
)
def test_a_delta_is_compared(entry: BaselineEntry, old: str | None, new: str | None, expected: list[object]) -> None:
    before, now = (replace(entry, delta=d, worst_case="eps" if d is None else None) for d in (old, new))
    assert [(str(c.direction), c.words) for c in changes_from_baseline(key_phi, before, now)] == expected


def test_both_parts_of_a_claim_are_compared(entry: BaselineEntry) -> None:
    changes = changes_from_baseline(key_phi, entry, replace(entry, claim="2 * eps", delta="exp(-eps * (tau - 1))"))
    assert [change.words.partition(" grew")[0] for change in changes] == ["the claim", "delta"]


def test_the_file_has_delta_where_there_is_one(proved: Result, tmp_path: Path) -> None:
    pure = replace(proved, alignment="pure", delta=None, cost="eps")
    write_baseline(str(tmp_path / "b.json"), [proved, pure])
    written = json.loads((tmp_path / "b.json").read_text())["alignments"].values()
    assert [entry.get("delta", "pure") for entry in written] == [DELTA, "pure"]
    kept = read_baseline(str(tmp_path / "b.json")).entries.values()
    assert [entry.delta for entry in kept] == [DELTA, None]


def test_a_delta_that_is_no_text_is_refused(proved: Result, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(str(file), [proved])
    file.write_text(file.read_text().replace(f'"{DELTA}"', "0.5"))
    with pytest.raises(InputError, match="delta must be null or a string"):
        read_baseline(str(file))
