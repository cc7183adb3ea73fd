"""The commands on claims with delta: what they say of them, and what they do not cover."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import claims_with_delta
from support.claims_with_delta import CLAIM, DELTA

SOURCE = Path(claims_with_delta.__file__).read_text(encoding="utf-8")


@pytest.fixture
def keys(here: Path) -> Path:
    path = here / "keys.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_check_reports_both_parts(cli, keys: Path) -> None:
    ran = cli("check", f"{keys}::key_phi")
    assert ran.code == 0
    assert f"claim: {CLAIM}" in ran.out
    assert f"private as claimed: {CLAIM}" in ran.out
    assert "eps-DP" not in ran.out


def test_a_table_says_that_claims_have_a_delta_and_full_reports_which(cli, keys: Path) -> None:
    targets = f"{keys}::key_phi", f"{keys}::cheap_phi"
    ran = cli("check", *targets)
    assert ran.code == 0
    assert "eps, with delta" in ran.out
    assert "2 claims have a delta: -v shows them" in ran.out
    ran = cli("check", "--verbose", *targets)
    assert f"claim: {CLAIM}" in ran.out
    assert f"claim: (eps / 2, {DELTA})-differential privacy" in ran.out


def test_json_has_delta(cli, keys: Path) -> None:
    ran = cli("check", f"{keys}::key_and_count_phi", "--format", "json")
    [result] = json.loads(ran.out)["results"]
    assert (result["claim"], result["delta"], result["cost"]) == ("2 * eps", DELTA, None)
    assert result["conditions"]["limits"]["status"] == "proved"
    assert [call["delta"] for call in result["calls"]] == [
        "exp(eps - eps * tau) / 2", f"what the calls leave of {DELTA}"
    ]  # fmt: skip
    assert result["privacy"]["status"] == "private"
    assert result["privacy"]["upper"] is None


def test_a_policy_without_delta_is_broken(cli, keys: Path, here: Path) -> None:
    (here / "pyproject.toml").write_text('[tool.alignkit.policy]\nclaims = { "*" = "eps" }\n')
    ran = cli("check", f"{keys}::key_phi")
    assert ran.code == 1
    assert f'write delta = {{ noisy_key = "{DELTA}" }} under [tool.alignkit.policy]' in ran.out
    (here / "pyproject.toml").write_text(f'[tool.alignkit.policy]\ndelta = {{ noisy_key = "{DELTA}" }}\n')
    assert cli("check", f"{keys}::key_phi").code == 0


def test_a_baseline_tells_a_claim_that_got_a_delta(cli, keys: Path, here: Path) -> None:
    assert cli("check", f"{keys}::key_phi", "--write-baseline", "b.json").code == 0
    assert cli("check", f"{keys}::key_phi", "--baseline", "b.json").code == 0
    document = json.loads((here / "b.json").read_text())
    [entry] = document["alignments"].values()
    assert entry.pop("delta") == DELTA
    (here / "b.json").write_text(json.dumps(document))
    ran = cli("check", f"{keys}::key_phi", "--baseline", "b.json")
    assert ran.code == 1
    assert f"baseline: worse\n  keys.py::key_phi: the claim has delta = {DELTA} now, and was pure" in ran.out


def test_new_in_a_baseline_names_delta(cli, keys: Path, here: Path) -> None:
    assert cli("check", f"{keys}::whole_key_phi", "--write-baseline", "b.json").code == 0
    ran = cli("check", f"{keys}::key_phi", "--baseline", "b.json")
    assert f"it is proved, with the claim eps and delta = {DELTA}" in ran.out


def test_a_second_opinion_covers_them_for_small_inputs(cli, keys: Path) -> None:
    ran = cli("confirm", f"{keys}::key_phi")
    assert "noisy_key / key_phi: proved; confirmed for n <= 3, k <= 2" in ran.out


def test_a_written_proof_has_delta_in_its_theorem_and_its_end(cli, keys: Path) -> None:
    ran = cli("explain", f"{keys}::key_phi")
    assert ran.code == 0
    shown = ran.out.replace("\\", "")
    assert f"noisy_key / key_phi: a proof of {CLAIM}\n" in shown
    assert f"**Theorem.** The mechanism `noisy_key` has {CLAIM} for all adjacent D and D′" in shown
    assert f"P(D gives an output in E) ≤ e^(eps) P(D′ gives one in E) + {DELTA}" in shown


def test_a_page_to_explore_has_delta_in_its_headline(cli, keys: Path, here: Path) -> None:
    ran = cli("explain", f"{keys}::key_phi", "--html", "page.html")
    assert ran.code == 0
    assert f"<h1>noisy_key / key_phi: {CLAIM}</h1>" in (here / "page.html").read_text(encoding="utf-8")


def test_a_trace_says_where_noise_breaks_a_limit(cli, keys: Path) -> None:
    inputs = {"q": 1, "q_": 0, "tau": 5, "eps": 1, "H": {"x": 7}}
    ran = cli("explain", f"{keys}::key_phi", "--trace", "--inputs", json.dumps(inputs))
    shown = " ".join(ran.out.split())
    assert "outside the limits: x is 7, not below its limit 4; delta pays for such noise" in shown
    assert "cost" not in shown


def test_a_pure_claim_on_such_a_mechanism_is_not_found(cli, keys: Path) -> None:
    ran = cli("find", f"{keys}::noisy_key", "--claim", "eps", "--timeout", "5")
    assert "FOUND AND PROVED" not in ran.out
