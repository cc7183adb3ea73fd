"""``alignkit confirm`` and ``alignkit check --confirm``, with a second program that answers what a test says."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cached_programs import SPARSE, edited

from alignkit import confirming
from alignkit.confirming import Opinion, Standing
from alignkit.symbolic.cvc5_solver import Cvc5Solver
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_solver import Z3Solver

EVERY_N = Opinion(Standing.EVERY_N)
BOUNDED = Opinion(Standing.BOUNDED, n=3, k=2)
UNEXAMINED = Opinion(Standing.NOT_EXAMINED, why="line 16: its loop was not examined")
CONTRADICTED = Opinion(Standing.CONTRADICTED, problem="the outputs differ", inputs={"q": (1, 2)})

Asked = Callable[[Callable[[], Opinion]], None]


@pytest.fixture
def file(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ALIGNKIT_CACHE_DIR", str(here / "cache"))
    path = here / "mine.py"
    path.write_text(SPARSE)
    return path


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Have the second program answer, also in workers, which are forks; asked with little work it knows nothing."""

    def say(ask: Callable[[], Opinion]) -> None:
        def confirm_alignment(alignment: Any, *, n: int = 3, **settings: Any) -> Opinion:
            return ask() if n == 3 else UNEXAMINED

        monkeypatch.setattr(confirming, "confirm_alignment", confirm_alignment)

    return say


@pytest.mark.parametrize("opinion", [EVERY_N, UNEXAMINED], ids=lambda o: str(o.standing))
def test_a_line_for_each_alignment_says_what_the_second_program_says(
    cli: Any, file: Path, answer: Asked, opinion: Opinion
) -> None:
    answer(lambda: opinion)
    ran = cli("confirm", file, "-q")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"sparse / phi: proved; {opinion}", "sparse / short_phi: refuted"]


def test_a_contradiction_withdraws_the_proof_with_exit_code_4_in_every_format(
    cli: Any, file: Path, answer: Asked
) -> None:
    answer(lambda: CONTRADICTED)
    ran = cli("confirm", file, "-q")
    first, second = ran.out.splitlines()
    assert (ran.code, first) == (4, "sparse / short_phi: refuted")
    assert second.startswith("sparse / phi: internal error: CONTRADICTED: the proof of sparse / phi is withdrawn")
    assert "the outputs differ, at q = [1, 2]; report" in second
    for form in ("text", "json", "junit", "sarif", "github"):
        ran = cli("check", f"{file}::phi", "--confirm", "--format", form)
        assert ran.code == 4
        assert "CONTRADICTED: the proof of sparse / phi is withdrawn" in ran.out + (ran.err if form == "text" else "")
        assert "PROVED" not in ran.out


def test_reports_have_the_opinion_that_the_flag_or_the_settings_ask_for(cli: Any, file: Path, answer: Asked) -> None:
    answer(lambda: BOUNDED)
    said = "second opinion: confirmed for n <= 3, k <= 2"
    assert "opinion" not in cli("check", file).out
    assert f"{said} (1 proof)" in cli("check", file, "--confirm").out
    one = f"{file}::phi"
    assert f"  {said}\n" in cli("check", one, "--confirm").out
    (file.parent / "pyproject.toml").write_text("[tool.alignkit]\nconfirm = true\n")
    assert f"  {said}\n" in cli("check", one).out
    shown = '<property name="opinion" value="confirmed for n &lt;= 3, k &lt;= 2" />'
    assert shown in cli("check", one, "--format", "junit").out
    [result] = json.loads(cli("check", one, "--format", "json").out)["results"]
    assert (result["opinion"]["standing"], result["opinion"]["n"]) == ("confirmed for small inputs", 3)
    line = "sparse / phi: proved; confirmed for n <= 3, k <= 2"
    assert cli("check", one, "--format", "github").out == f"::notice title=second opinion::{line}\n"
    [run] = json.loads(cli("check", one, "--format", "sarif").out)["runs"]
    notes = [{"level": "note", "message": {"text": line}}]
    assert (run["results"], run["invocations"][0]["toolExecutionNotifications"]) == ([], notes)


def test_the_cache_serves_a_proof_with_its_opinion_and_lines_of_today(cli: Any, file: Path, answer: Asked) -> None:
    """A proof that was not asked about does not serve where the opinion is asked for; one that was serves both."""
    answer(lambda: Opinion(Standing.NOT_EXAMINED, why="line 16: gap"))

    def run(*flags: str) -> tuple[bool, str]:
        [result] = json.loads(cli("check", f"{file}::phi", "--format", "json", *flags).out)["results"]
        return result["cached"], result["opinion"]["why"]

    assert run() == (False, UNEXAMINED.why)
    assert run() == (True, UNEXAMINED.why)
    assert run("--confirm") == (False, "line 16: gap")
    assert run("--confirm") == run() == (True, "line 16: gap")
    assert "second opinion" not in cli("check", f"{file}::phi").out
    file.write_text("\n" + SPARSE)
    assert run("--confirm") == (True, "line 17: gap")
    file.write_text(edited(("count", "winners")))
    assert run("--confirm") == (True, "line 16: gap")
    file.write_text(edited(("gap", "distance")))
    assert run("--confirm") == (False, "line 16: gap")


def test_a_second_program_that_ends_its_process_leaves_the_proof(cli: Any, file: Path, answer: Asked) -> None:
    answer(lambda: os._exit(9))
    ran = cli("confirm", f"{file}::phi", "-q", "--no-cache")
    why = "the second program did not end within 60 s, or its process died"
    assert (ran.code, ran.out) == (0, f"sparse / phi: proved; not examined: {why}\n")


@pytest.mark.parametrize(("opinion", "kept"), [(BOUNDED, True), (UNEXAMINED, False)], ids=["kept", "broken"])
def test_a_policy_has_the_opinion_asked_for(
    cli: Any, file: Path, answer: Asked, opinion: Opinion, kept: bool
) -> None:
    """What is refuted needs none, and `confirm` itself applies no policy."""
    answer(lambda: opinion)
    (file.parent / "pyproject.toml").write_text("[tool.alignkit.policy]\nconfirmed = 3\n")
    ran = cli("check", file)
    words = f"the policy requires that a second program confirms the proof for n <= 3, and it says: {opinion}"
    assert (ran.code, ran.out.splitlines()[-1]) == ((0, "policy: kept") if kept else (1, f"  sparse / phi: {words}"))
    if not kept:
        assert cli("confirm", file, "-q").code == 0
        for form in ("json", "junit", "sarif", "github"):
            assert "that a second program confirms the proof" in cli("check", file, "--format", form).out


def test_both_programs_ask_cvc5_in_place_of_z3(cli: Any, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Z3Solver, "_refute", lambda solver, formulas: Answer(Outcome.UNKNOWN))
    ran = cli("confirm", f"{file}::phi", "--solver", "cvc5", "-q")
    assert (ran.code, ran.out) == (0, "sparse / phi: proved by cvc5; confirmed for every n, by cvc5\n")
    [result] = json.loads(cli("confirm", f"{file}::phi", "--solver", "cvc5", "--format", "json").out)["results"]
    assert (result["solver"], result["opinion"]["solver"], result["vote"]) == ("cvc5", "cvc5", None)


def test_a_vote_says_on_how_many_questions_cvc5_agrees(
    cli: Any, file: Path, answer: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a vote that ends its process leaves open is unknown, which is no agreement and leaves the proof."""
    answer(lambda: BOUNDED)
    ran = cli("confirm", f"{file}::phi", "--vote", "-q")
    monkeypatch.setattr(Cvc5Solver, "answer", lambda solver, text: os._exit(9))
    [result] = json.loads(cli("confirm", f"{file}::phi", "--vote", "--format", "json").out)["results"]
    number = result["vote"]["questions"]
    why = "the vote did not end within 60 s, or its process died"
    assert number > 5
    assert result["vote"] == {"questions": number, "agreed": 0, "unknown": number, "not_encoded": 0, "reasons": [why]}
    line = f"sparse / phi: proved; {BOUNDED}; vote of cvc5 on {number} questions: {number} agreed, 0 unknown\n"
    assert (ran.code, ran.out) == (0, line)


def test_solvers_that_disagree_end_with_exit_code_4_and_the_question_in_a_file(
    cli: Any, file: Path, answer: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(lambda: BOUNDED)
    monkeypatch.setattr(Z3Solver, "_refute", lambda solver, formulas: Answer(Outcome.FOLLOWS))
    ran = cli("confirm", f"{file}::phi", "--vote", "-q")
    [saved] = (file.parent / ".alignkit" / "disagreements").iterdir()
    words = "sparse / phi: internal error: DISAGREEMENT: two solvers disagree, so that nothing is proved here"
    assert ran.code == 4
    assert ran.out.startswith(words)
    assert f"the question is saved in {saved.relative_to(file.parent)}" in ran.out
    assert saved.read_text().endswith("(check-sat)\n")
    ran = cli("confirm", f"{file}::phi", "--vote", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["results"]) == (4, [])
    assert words in ran.err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--vote"], "the second solver needs cvc5: pip install 'alignkit[verify]'"),
        (["--solver", "cvc5"], "the second solver needs cvc5: pip install 'alignkit[verify]'"),
        (["--vote", "--solver", "cvc5"], "with --solver cvc5 no proof rests on z3: give one of the two flags"),
    ],
    ids=["vote", "cvc5", "both"],
)
def test_what_cannot_be_asked_is_said_first(
    cli: Any, file: Path, monkeypatch: pytest.MonkeyPatch, flags: list[str], words: str
) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    ran = cli("confirm", file, *flags)
    assert (ran.code, ran.out) == (2, "")
    assert words in ran.err
