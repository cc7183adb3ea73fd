"""The command line as a whole: help, version, wrong commands, closed pipes, Ctrl-C, what is loaded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import alignkit
from alignkit.cli.entry import COMMANDS

ALIGNKIT = (sys.executable, "-m", "alignkit")

# A check that would take a minute, unless it is the first. Tests that run in the background may be given a SIGINT that
# is ignored, which a process hands on to its children.
SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import alignkit.checking as checking
real = checking.check_with_proof
def check(alignment, **settings):
    if alignment.name != "phi":
        print("started", file=sys.stderr, flush=True)
        time.sleep(60)
    return real(alignment, **settings)
checking.check_with_proof = check
from alignkit.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_help_says_that_check_runs_the_files(cli) -> None:
    ran = cli("--help")
    assert ran.code == 0
    assert "alignkit check proofs/" in ran.out
    ran = cli("check", "--help")
    assert ran.code == 0
    assert "imported, and so their code is run" in ran.out
    assert "130 interrupted" in ran.out
    for command in ("run", "list", "new"):
        assert cli(command, "--help").code == 0


def test_version(cli) -> None:
    assert cli("--version").out == f"alignkit {alignkit.__version__}\n"


def test_no_command_shows_the_help(cli) -> None:
    ran = cli()
    assert ran.code == 2
    assert "usage: alignkit" in ran.err


def test_an_unknown_command_gets_a_suggestion(cli) -> None:
    ran = cli("chekc")
    assert ran.code == 2
    assert "did you mean `alignkit check`?" in ran.err
    assert "the commands are check, confirm, implements, attack, find, explain, run, list" in cli("prove_it_all").err


def test_an_unknown_flag_gets_a_suggestion(cli) -> None:
    assert cli("check", "--verbos").err == (
        "alignkit: unrecognized argument: --verbos; did you mean --verbose? see `alignkit check --help`\n"
    )
    assert "; did you mean --claim? see `alignkit find --help`" in cli("find", "mine.py", "--epsilon", "eps").err
    assert cli("list", "--nothing-like-it").err.endswith("see `alignkit list --help`\n")


@pytest.mark.parametrize("command", ["explain", "attack", "find"])
def test_a_second_target(cli, command: str) -> None:
    words = f"alignkit {command} takes one TARGET at a time, and b.py is one too many; see `alignkit {command} --help`"
    assert cli(command, "a.py", "b.py").err == f"alignkit: {words}\n"


def test_a_file_of_another_kind(cli, here: Path) -> None:
    (here / "README.md").write_text("# mine\n")
    ran = cli("check", "README.md")
    assert ran.code == 2
    assert ran.err.startswith("alignkit: README.md is not a Python file\n")


def test_flags_before_the_command(cli) -> None:
    ran = cli("--format", "json", "check")
    assert ran.code == 2


def test_an_unexpected_exception_is_reported_in_one_line(cli, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import alignkit.catalogue

    def slip(targets: object) -> None:
        raise ZeroDivisionError("a slip")

    monkeypatch.setattr(alignkit.catalogue, "collect", slip)
    ran = cli("check")
    assert ran.code == 4
    assert ran.err.startswith("alignkit: internal error: ZeroDivisionError: a slip (please report")


def test_help_and_lists_load_neither_solver_nor_algebra_nor_workers() -> None:
    script = (
        "import sys; from alignkit.cli import main; main(['list']); main(['check', '--help']); "
        "print([m for m in ('z3', 'sympy', 'rich', 'numpy', 'multiprocessing') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == "[]\n"


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"], ["chekc"]])
def test_what_reads_no_mechanism_loads_none_of_what_does(arguments: list[str]) -> None:
    names = ("alignkit.language", "alignkit.running", "alignkit.catalogue", "alignkit.reporting", "multiprocessing")
    script = (
        f"import sys; from alignkit.cli import main; main({arguments!r}); "
        f"print([m for m in {names!r} if m in sys.modules], file=sys.stdout)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_that_stops_early() -> None:
    command = [*ALIGNKIT, "list"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stdout.close()
        assert writer.stderr.read() == ""
    assert writer.returncode == 141


def test_characters_that_the_terminal_lacks(here: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([*ALIGNKIT, "run"], capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert "name the mechanism" in done.stderr


def test_no_colour_in_a_pipe_or_with_no_color(here: Path) -> None:
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run([*ALIGNKIT, "check", "noisy_max_broken"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a matter of Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_reports_what_was_decided_and_leaves_no_process(here: Path, jobs: str) -> None:
    command = [sys.executable, "-c", SLOW, "check", "noisy_max", "-j", jobs]
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert running.stderr is not None
    assert running.stderr.readline() == "started\n"
    time.sleep(2)  # with two processes, the first alignment is decided beside the slow one
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=20)
    assert running.returncode == 130
    assert "PROVED  noisy_max / phi" in out
    assert "interrupted: 1 of 2 decided" in err
    last = out.splitlines()[-1]
    assert last.startswith("1 alignment: 1 proved, 0 refuted, 0 undecided; interrupted before 1 alignment; ")
    assert "Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


@pytest.mark.parametrize("command", ["", *COMMANDS, "run noisy_max"])
def test_help_fits_80_columns(cli, here: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = cli(*command.split(), "--help")
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if len(line) > 80] == []
