"""`alignkit check`: what is proved, what is refuted, and what the user reads of it."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from alignkit.cli import check_run
from alignkit.symbolic.solver import Answer, Outcome
from alignkit.symbolic.z3_solver import Z3Solver
from tests.catalogue.golden import GOLDEN, compare, summary


def test_a_new_file_is_proved_at_once(cli, mine: Path) -> None:
    ran = cli("check", mine.name)
    assert ran.code == 0
    assert "PROVED  mine / phi" in ran.out
    assert "all n" in ran.out
    assert "sampler is not covered" in ran.out


def test_cvc5_proves_in_place_of_z3(cli, mine: Path, monkeypatch) -> None:
    monkeypatch.setattr(Z3Solver, "_refute", lambda solver, formulas: Answer(Outcome.UNKNOWN))
    assert cli("check", mine, "--no-cache").code == 3
    assert cli("check", mine, "--solver", "cvc5").code == 0
    monkeypatch.setitem(sys.modules, "cvc5", None)
    ran = cli("check", mine, "--solver", "cvc5")
    assert ran.code == 2
    assert "the second solver needs cvc5: pip install 'alignkit[verify]'" in ran.err


def test_half_the_noise_is_refuted_and_the_snippet_shows_it(cli, broken: Path, here: Path) -> None:
    ran = cli("check", broken.name)
    assert ran.code == 1
    assert "REFUTED  broken / phi" in ran.out
    assert "UNEXPECTED" in ran.out
    assert "NOT PRIVATE as claimed: a violation was certified (privacy loss at least 1.49" in ran.out
    snippet = ran.out.partition("reproduce in Python:\n")[2].partition("\n\n")[0]
    pasted = subprocess.run(
        [sys.executable, "-c", snippet], capture_output=True, text=True, cwd=here, env=dict(os.environ)
    )
    assert pasted.returncode == 0, pasted.stderr
    assert " > claim 1 (eps)" in pasted.stdout


@pytest.mark.slow  # `make prove` judges the whole catalogue by its exit code
def test_the_whole_catalogue_is_judged_as_before_and_takes_a_line_each(cli, here: Path, monkeypatch) -> None:
    """What JSON says of it is held against tests/catalogue/verdicts.json; the table is about the same results."""
    outcomes = []
    checked = check_run.check_targets

    def once(*arguments, **settings):
        outcomes.extend([] if outcomes else [checked(*arguments, **settings)])
        return outcomes[0]

    monkeypatch.setattr(check_run, "check_targets", once)
    ran = cli("check", "--format", "json")
    assert ran.code == 0, ran.out
    results = json.loads(ran.out)["results"]
    assert len({(r["file"], r["alignment"]) for r in results}) == len(results)
    for result in results:
        assert result["verdict"] == result["expected"]
        assert result["verdict"] != "proved" or set(result["scope"].values()) == {"all"}
        assert result["verdict"] != "proved" or result["privacy"]["status"] == "private"
    changed = compare(json.loads(GOLDEN.read_text(encoding="utf-8")), [summary(result) for result in results])
    # What the attack finds depends on the time that it has; `python tests/catalogue/golden.py` compares that too.
    assert [line for line in changed if not re.search(r"\.privacy\.(lower|event|leak|status)", line)] == []

    monkeypatch.setenv("COLUMNS", "80")
    ran = cli("check")
    assert ran.code == 0
    lines = ran.out.splitlines()
    table, rest = lines[: lines.index("")], lines[lines.index("") :]
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith(("proved ", "refuted ", "undecided ")) for line in table) == len(results)
    assert len(rest) <= 28  # about one screen
    assert rest[-1].startswith(f"{len(results)} alignments: ")
    assert "all as expected" in rest[-1]
    assert "REFUTED" not in ran.out


def test_expected_refutations_are_a_success(cli, here: Path) -> None:
    ran = cli("check", "sparse_vector::short_shift_phi")
    assert ran.code == 2  # it stands in another module
    ran = cli("check", "sparse_vector_broken::short_shift_phi")
    assert ran.code == 0
    assert "ok, as expected" in ran.out


def test_a_proof_where_refutation_was_declared_is_a_failure(cli, mine: Path) -> None:
    mine.write_text(mine.read_text().replace('epsilon="eps")', 'epsilon="eps", expect="refuted")'))
    ran = cli("check", mine.name)
    assert ran.code == 1
    assert "UNEXPECTED: should be refuted" in ran.out


def test_bad_targets_do_not_stop_good_ones(cli, mine: Path) -> None:
    ran = cli("check", "nothing.py", "mine.py", "sparse_vektor")
    assert ran.code == 2
    assert "PROVED  mine / phi" in ran.out
    assert "nothing.py does not exist" in ran.err
    assert "did you mean sparse_vector" in ran.err


def test_one_bad_file_of_a_folder_does_not_stop_the_others(cli, mine: Path, here: Path) -> None:
    (here / "unfinished.py").write_text("def f(:\n")
    ran = cli("check", ".", "--format", "json")
    assert ran.code == 2
    document = json.loads(ran.out)
    assert [r["mechanism"] for r in document["results"]] == ["mine"]
    [error] = document["errors"]
    assert error["target"] == "unfinished.py"
    assert error["exit_code"] == 2
    assert "unfinished.py:1:7" in error["message"]


def test_several_are_summed_up_in_a_table(cli, mine: Path, broken: Path) -> None:
    ran = cli("check", "mine.py", "broken.py")
    assert ran.code == 1
    table, _, details = ran.out.partition("REFUTED  broken / phi")
    rows = [" ".join(line.split()) for line in table.splitlines()]
    assert any(row.startswith("proved mine / phi ok eps each all n,") for row in rows)
    assert any(row.startswith("refuted broken / phi UNEXPECTED: should be proved eps each - ") for row in rows)
    assert "reproduce in Python:" in details
    last = details.splitlines()[-1]
    assert last.startswith("2 alignments: 1 proved, 1 refuted, 0 undecided; 1 UNEXPECTED")


def test_a_target_that_cannot_be_used_is_counted(cli, mine: Path) -> None:
    for flags in ([], ["-q"]):
        ran = cli("check", "mine.py", "noisy_max::phi", "nothing.py", *flags)
        assert ran.code == 2
        assert "nothing.py does not exist" in ran.err
        last = ran.out.splitlines()[-1]
        assert last.startswith("2 alignments: 2 proved, 0 refuted, 0 undecided; 1 target could not be checked; ")
    assert cli("check", "-q", "nothing.py").out.startswith("no alignment was checked; 1 target could not be checked")
    assert json.loads(cli("check", "mine.py", "nothing.py", "--format", "json").out)["errors"]


def test_what_could_not_be_checked_is_reported_last(mine: Path) -> None:
    command = [sys.executable, "-m", "alignkit", "check", "mine.py", "nothing.py", "-j", "1"]
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=mine.parent)
    *report, message, last = ran.stdout.splitlines()
    assert report[0].startswith("PROVED  mine / phi")
    assert message.startswith("alignkit: nothing.py does not exist")
    assert last.startswith("1 alignment: 1 proved, 0 refuted, 0 undecided; 1 target could not be checked; ")


def test_quiet_prints_only_what_is_not_as_expected(cli, mine: Path, broken: Path) -> None:
    assert cli("check", "-q", "mine.py").out == ""
    ran = cli("check", "--quiet", "mine.py", "broken.py")
    assert ran.out.startswith("REFUTED  broken / phi")
    assert "mine / phi" not in ran.out


def test_verbose_prints_every_condition(cli, mine: Path) -> None:
    short = cli("check", "mine.py", "noisy_max_broken").out
    assert "one-to-one" not in short
    long = cli("check", "-v", "mine.py", "noisy_max_broken").out
    for condition in ("termination", "noise used", "valid noise", "same output", "one-to-one", "countable"):
        assert condition in long


def test_two_processes_find_what_one_finds(cli, here: Path) -> None:
    def verdicts(*flags: str) -> list[tuple[str, str, str]]:
        ran = cli("check", "sparse_vector_broken::short_shift_phi", "noisy_max", "--format", "json", *flags)
        assert ran.code == 0
        return [(r["mechanism"], r["alignment"], r["verdict"]) for r in json.loads(ran.out)["results"]]

    assert verdicts("-j", "1") == verdicts("-j", "2")


def test_workers_that_start_from_nothing_find_the_files_again(cli, mine: Path, baskets: Path, monkeypatch) -> None:
    from alignkit.cli import worker_process

    monkeypatch.setattr(worker_process, "worker_context", lambda checking: multiprocessing.get_context("spawn"))
    ran = cli("check", "mine.py", "noisy_max::phi", "-j", "2", "--data", baskets)
    assert ran.code == 0, ran.err
    assert "2 alignments: 2 proved" in ran.out


def test_all_alignments_of_a_mechanism_speak_of_it(cli, here: Path) -> None:
    ran = cli("check", "sparse_vector_with_gap", "--format", "json")
    assert ran.code == 0, "a proof is wrong, as expected; the mechanism need not be"
    results = json.loads(ran.out)["results"]
    assert {r["verdict"] for r in results} == {"proved", "refuted"}
    assert {r["privacy"]["status"] for r in results} == {"private"}


def test_a_real_table_is_searched_too(cli, baskets: Path) -> None:
    ran = cli("check", "-v", "sparse_vector_with_gap", "--data", baskets)
    assert ran.code == 0
    assert "a real table by dropping or adding" in ran.out


def test_a_real_table_is_searched_for_each_alignment_of_one_worker(cli, baskets: Path) -> None:
    ran = cli("check", "noisy_max", "--data", baskets, "-j", "1", "-v")
    assert ran.code == 0
    assert ran.out.count("a real table by dropping or adding") == 2


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--timeout", "0"), "seconds above 0"),
        (("--timeout", "nan"), "seconds above 0"),
        (("--timeout", "soon"), "seconds above 0"),
        (("-j", "0"), "at least 1"),
        (("--seed", "x"), "whole number"),
        (("--format", "yaml"), "invalid choice"),
        (("--data", "no.dat"), "no.dat does not exist"),
        (("--colour",), "--colour"),
    ],
)
def test_bad_flags(cli, mine: Path, flags: tuple[str, ...], words: str) -> None:
    ran = cli("check", "mine.py", *flags)
    assert ran.code == 2
    assert words in ran.err
    assert ran.out == ""
