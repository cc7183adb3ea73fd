"""The exit code of a run, alone and mixed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

import alignkit.checking
from alignkit import Alignment, InputError, InternalError, check
from alignkit.cli.check_command import exit_code
from alignkit.gating.policy import Policy
from alignkit.proofs.noisy_max import phi
from alignkit.proving.proof import Proof
from alignkit.results import Privacy, Result, Verdict

PROVED, REFUTED, UNDECIDED = Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED


@pytest.fixture(scope="module")
def result() -> Result:
    return check(phi)


@pytest.mark.parametrize(
    ("expected", "verdict", "code"),
    [
        (PROVED, PROVED, 0),
        (PROVED, REFUTED, 1),
        (PROVED, UNDECIDED, 3),
        (REFUTED, REFUTED, 0),
        (REFUTED, PROVED, 1),
        (REFUTED, UNDECIDED, 3),
        (UNDECIDED, UNDECIDED, 0),
        (UNDECIDED, PROVED, 1),
        (UNDECIDED, REFUTED, 1),
    ],
)
def test_one_result(result: Result, expected: Verdict, verdict: Verdict, code: int) -> None:
    assert exit_code([replace(result, expected=expected, verdict=verdict)]) == code


@pytest.mark.parametrize(
    ("verdicts", "errors", "code"),
    [
        ((), (), 0),
        ((PROVED, PROVED), (), 0),
        ((PROVED, UNDECIDED), (), 3),
        ((UNDECIDED, REFUTED, PROVED), (), 1),
        ((PROVED,), (2,), 2),
        ((UNDECIDED, REFUTED), (2,), 2),
        ((REFUTED,), (4,), 4),
        ((PROVED,), (2, 4), 4),
    ],
)
def test_a_mixed_run(result: Result, verdicts: tuple[Verdict, ...], errors: tuple[int, ...], code: int) -> None:
    assert exit_code([replace(result, verdict=v) for v in verdicts], errors) == code


def test_not_private_is_a_failure_where_proof_was_expected(result: Result) -> None:
    leaks = replace(result, verdict=UNDECIDED, privacy=Privacy("not private"))
    assert exit_code([leaks]) == 1
    assert exit_code([replace(leaks, verdict=REFUTED, expected=REFUTED)]) == 0


def test_a_policy_can_let_pass_what_is_undecided_and_nothing_else(result: Result) -> None:
    policy = Policy(undecided_blocks=False)
    undecided = replace(result, verdict=UNDECIDED)
    assert exit_code([undecided, replace(undecided, expected=REFUTED)], policy=policy) == 0
    assert exit_code([replace(undecided, privacy=Privacy("not private"))], policy=policy) == 1
    assert exit_code([replace(result, verdict=REFUTED)], policy=policy) == 1
    assert exit_code([undecided], policy=Policy()) == 3


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, happens) -> None:
    """Let something happen in place of the check of one alignment."""
    real = alignkit.checking.check_with_proof

    def check_(alignment: Alignment, **settings: object) -> tuple[Result, Proof | None]:
        return (happens(alignment), None) if alignment.name == name else real(alignment, **settings)

    monkeypatch.setattr(alignkit.checking, "check_with_proof", check_)


def raises(error: Exception):
    def happens(alignment: Alignment) -> Result:
        raise error

    return happens


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (RuntimeError("a slip"), 4, "internal error: RuntimeError: a slip (please report"),
        (InternalError("z3 and Python disagree"), 4, "internal error: z3 and Python disagree"),
        (InputError("the claim has no value here"), 2, "the claim has no value here"),
    ],
)
def test_a_check_that_fails_leaves_the_others(
    cli, here: Path, monkeypatch, jobs: str, error: Exception, code: int, words: str
) -> None:
    stand_in(monkeypatch, "monotone_phi", raises(error))
    ran = cli("check", "noisy_max", "-j", jobs, "--format", "json")
    assert ran.code == code
    assert f"noisy_max / monotone_phi: {words}" in ran.err
    document = json.loads(ran.out)
    assert [r["alignment"] for r in document["results"]] == ["phi"]
    assert [e["exit_code"] for e in document["errors"]] == [code]


def test_a_worker_that_dies_is_reported_and_the_others_go_on(cli, here: Path, monkeypatch) -> None:
    stand_in(monkeypatch, "monotone_phi", lambda alignment: os._exit(9))
    ran = cli("check", "noisy_max", "noisy_max_with_gap", "-j", "2", "--format", "json")
    assert ran.code == 4
    assert "noisy_max / monotone_phi: internal error" in ran.err
    results = json.loads(ran.out)["results"]
    assert [r["alignment"] for r in results] == ["phi", "gap_phi", "monotone_gap_phi"]


def test_undecided_says_what_is_undecided_and_why(cli, here: Path, monkeypatch, result: Result) -> None:
    conditions = dict(result.conditions)
    conditions["cost"] = replace(conditions["cost"], status=UNDECIDED, how="the solver gave up: timeout")
    undecided = replace(result, verdict=UNDECIDED, conditions=conditions, notes=("state an invariant",))
    stand_in(monkeypatch, "phi", lambda alignment: undecided)
    ran = cli("check", "noisy_max")
    assert ran.code == 3
    block = ran.out.partition("UNDECIDED")[2]
    assert "cost           undecided  the solver gave up: timeout" in block
    assert "state an invariant" in block
    assert "does not show that there is none" in block


def test_the_traceback_is_shown_when_it_is_asked_for(capsys, here: Path, monkeypatch) -> None:
    from alignkit.cli import main

    monkeypatch.setenv("ALIGNKIT_DEBUG", "1")
    stand_in(monkeypatch, "phi", raises(RuntimeError("a slip")))
    assert main(["check", "noisy_max::phi"]) == 4
    assert "Traceback" in capsys.readouterr().err


def test_an_alignment_whose_check_breaks_off_is_counted_in_the_last_line(cli, here: Path, monkeypatch) -> None:
    stand_in(monkeypatch, "monotone_phi", raises(RuntimeError("a slip")))
    ran = cli("check", "noisy_max", "noisy_max_with_gap", "-j", "1")
    assert ran.code == 4
    assert "noisy_max / monotone_phi: internal error" in ran.err
    assert "3 alignments: 3 proved, 0 refuted, 0 undecided; 1 alignment could not be checked; " in ran.out
    assert "all as expected" not in ran.out
