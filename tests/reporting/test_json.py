"""The JSON contract: these keys stay, whatever is added."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import alignkit
from alignkit.interpreting.values import Members
from alignkit.reporting.json_documents import results_json
from alignkit.results import CONDITIONS, Attained, Privacy, Result, Witness

RESULT = {
    "mechanism", "alignment", "file", "line", "verdict", "expected", "number_model", "claim", "adjacency", "cost",
    "attained", "scope", "conditions", "assumptions", "counterexample", "privacy", "seconds", "queries",
}  # fmt: skip
COUNTEREXAMPLE = {
    "condition", "words", "file", "line", "q", "q_", "parameters", "H", "H_", "omega", "omega_", "cost", "claim",
    "snippet",
}  # fmt: skip


def document(*results: Result) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(results_json(results))
    return read


def test_the_keys(proved: Result, refuted: Result) -> None:
    found = document(proved, refuted)
    assert found["alignkit"] == alignkit.__version__
    for result in found["results"]:
        assert set(result) >= RESULT
        assert list(result["conditions"]) == list(CONDITIONS)
        assert all(set(c) >= {"status", "how"} for c in result["conditions"].values())
        assert set(result["privacy"]) >= {"status", "upper", "lower", "event"}
    assert found["results"][0]["counterexample"] is None
    assert set(found["results"][1]["counterexample"]) >= COUNTEREXAMPLE


def test_plain_values(proved: Result) -> None:
    [result] = document(proved)["results"]
    assert result["verdict"] == result["expected"] == "proved"
    assert result["scope"] == {"n": "all", "T": "all", "k": "all", "eps": "all"}
    assert result["conditions"]["cost"] == {"status": "proved", "how": "because of cost"}
    assert (result["attained"], result["seconds"], result["queries"]) == (True, 0.123, 41)
    assert result["privacy"] == {
        "status": "private", "upper": "eps", "lower": None, "event": None, "adjacency": None, "leak": None,
    }  # fmt: skip


def test_numbers_are_exact_and_tags_are_names(refuted: Result) -> None:
    found = document(refuted)["results"][0]["counterexample"]
    assert found["q"] == ["0", "1/3"]
    assert found["q_"] == ["-1", "1/3"]
    assert found["parameters"] == {"T": "0", "k": "1", "eps": "1/2"}
    assert found["H"] == {"eta": "0", "eta_i": [None, "7/2"]}
    assert found["omega"] == ["BELOW", "7/2", "ABOVE"]
    assert (found["cost"], found["claim"]) == ("3/4", "1/2")


def test_several_private_parameters_go_by_name(refuted: Result) -> None:
    assert refuted.counterexample is not None
    witness = Witness({}, {"q": (1,), "r": 2}, {"q": (0,), "r": 2})
    two = replace(refuted.counterexample, witness=witness, omega_=None)
    found = document(replace(refuted, counterexample=two))["results"][0]["counterexample"]
    assert found["q"] == {"q": ["1"], "r": "2"}
    assert found["H_"] is None
    assert found["omega_"] is None


def test_sets_of_indices_and_truth_values(refuted: Result) -> None:
    assert refuted.counterexample is not None
    odd = replace(refuted.counterexample, omega=(True, Members((2, 0))), omega_=(False, {1, 0}))
    found = document(replace(refuted, counterexample=odd))["results"][0]["counterexample"]
    assert found["omega"] == [True, ["0", "2"]]
    assert found["omega_"] == [False, ["0", "1"]]


def test_paths_are_relative_to_the_current_folder_where_they_lie_below_it(
    proved: Result, tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inside = replace(proved, file=str(tmp_path / "proofs" / "mine.py"))
    first, second = document(inside, proved)["results"]
    assert first["file"] == "proofs/mine.py"
    assert second["file"] == proved.file


def test_what_could_not_be_checked() -> None:
    error = {"target": "a.py", "message": "a.py does not exist", "exit_code": 2}
    assert json.loads(results_json([], [error])) == {
        "alignkit": alignkit.__version__,
        "results": [],
        "errors": [error],
        "policy": None,
        "lost": None,
        "baseline": None,
    }


def test_the_worst_case(proved: Result) -> None:
    at = Attained(
        Witness({"eps": Fraction(1, 2)}, {"q": (0,)}, {"q": (-1,)}, {"eta": 1}), Fraction(1, 4), "phi.replay()"
    )
    [tight] = document(proved)["results"]
    assert (tight["cost"], tight["worst_case"], tight["slack"], tight["ex_post"]) == ("eps", "eps", None, False)
    assert tight["attained_at"] is None
    [wasteful] = document(replace(proved, cost="eps / 2", slack="eps / 2", attained_at=at))["results"]
    assert (wasteful["cost"], wasteful["worst_case"], wasteful["slack"]) == ("eps / 2", "eps / 2", "eps / 2")
    assert wasteful["attained_at"] == {
        "q": ["0"], "q_": ["-1"], "parameters": {"eps": "1/2"}, "H": {"eta": "1"}, "cost": "1/4",
        "snippet": "phi.replay()",
    }  # fmt: skip


def test_an_ex_post_claim_without_a_worst_case(proved: Result) -> None:
    open_ = replace(proved, claim="len(omega) * eps", cost=None, attained=None, ex_post=True, privacy=Privacy())
    [result] = document(open_)["results"]
    assert (result["ex_post"], result["worst_case"], result["cost"]) == (True, None, None)
    assert result["privacy"]["upper"] is None
