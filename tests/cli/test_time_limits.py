"""Time limits hold whatever a program does, and whatever a file does while it is imported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ALIGNKIT = (sys.executable, "-m", "alignkit")

BRANCH_IN_A_LOOP = """
from alignkit import *

@mechanism
def counts(q: Query, eps: Epsilon, noise: Noise):
    total = 0
    for i in range({rounds}):
        e = noise.laplace({rounds} / eps)
        if q + e > 0:
            total += 1
    yield total

@alignment(counts, epsilon="eps")
def phi(q, q_, omega, H):
    return H.shift(e=[q - q_ for i in range({rounds})])
"""

# The check of monotone_phi never ends and cannot be told to; it starts a process of its own, too.
DEAF = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
import alignkit.checking as checking
real = checking.check_with_proof
def check(alignment, **settings):
    if alignment.name == "monotone_phi":
        child = subprocess.Popen(["sleep", "600"])
        print(os.getpid(), child.pid, file=sys.stderr, flush=True)
        while True:
            time.sleep(1)
    return real(alignment, **settings)
checking.check_with_proof = check
from alignkit.cli import main
sys.exit(main(sys.argv[1:]))
"""


# What ends after a few seconds on an idle machine ends within these on a busy one; without its limit it never ends.
BUSY = 60


def undecided_for_lack_of_time(result: dict) -> bool:
    return result["verdict"] == "undecided" and all("time" in c["how"] for c in result["conditions"].values())


@pytest.mark.parametrize("rounds", [pytest.param(300, marks=pytest.mark.slow), 3000])
def test_a_branch_in_a_long_loop(cli, here: Path, rounds: int) -> None:
    (here / "loop.py").write_text(BRANCH_IN_A_LOOP.format(rounds=rounds))
    started = time.monotonic()
    ran = cli("check", "loop.py", "--timeout", "2", "-j", "1", "--format", "json")
    [result] = json.loads(ran.out)["results"]
    assert ran.code == 3
    assert result["verdict"] == "undecided"
    assert result["seconds"] <= time.monotonic() - started < BUSY


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_a_check_that_never_ends_is_ended_and_the_others_are_reported(here: Path, jobs: str) -> None:
    command = [sys.executable, "-c", DEAF, "check", "noisy_max", "--timeout", "3", "-j", jobs, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUSY)
    assert done.returncode == 3, done.stderr
    first, second = json.loads(done.stdout)["results"]
    assert first["verdict"] == "proved"
    assert undecided_for_lack_of_time(second)
    assert "--timeout" in second["conditions"]["cost"]["how"]
    assert not any(alive(int(pid)) for pid in done.stderr.split())
    # What is ended does not lose what is known of the mechanism: eps is proved, and eps / 2 was claimed.
    assert (first["privacy"]["status"], first["privacy"]["upper"]) == ("private", "eps")
    assert (second["privacy"]["status"], second["privacy"]["upper"]) == ("open", "eps")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere workers end after what they are about")
def test_workers_end_with_the_program(here: Path) -> None:
    command = [sys.executable, "-c", DEAF, "check", "noisy_max::monotone_phi"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        worker, child = map(int, running.stderr.readline().split())
        running.kill()
        until = time.monotonic() + BUSY
        while alive(worker) and time.monotonic() < until:
            time.sleep(0.05)
        assert not alive(worker)
        os.kill(child, signal.SIGKILL)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are a matter of Unix")
def test_a_worker_that_is_killed_is_reported(here: Path) -> None:
    command = [sys.executable, "-c", DEAF, "check", "noisy_max", "-j", "1", "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        worker, child = map(int, running.stderr.readline().split())
        os.kill(worker, signal.SIGKILL)
        out, err = running.communicate(timeout=BUSY)
    assert running.returncode == 4
    assert "noisy_max / monotone_phi: internal error" in err
    assert "killed by SIGKILL" in err
    document = json.loads(out)
    assert [r["alignment"] for r in document["results"]] == ["phi"]
    assert [e["exit_code"] for e in document["errors"]] == [4]
    assert not alive(child)


def test_an_attack_keeps_to_its_budget(cli, here: Path) -> None:
    started = time.monotonic()
    ran = cli("attack", "noisy_max", "--timeout", "2", "-q", "--format", "json")
    taken = time.monotonic() - started
    assert ran.code == 0
    each = json.loads(ran.out)["attacks"]
    assert [a["claim"] for a in each] == ["eps", "eps / 2"]
    assert taken < 18  # without the flag, each of the two attacks takes ten seconds
    assert all(a["lower"] > 0 for a in each)


HANGS = "import time\nprint('now', flush=True)\ntime.sleep(600)\n"


def test_an_import_that_hangs_is_reported_and_the_others_are_checked(cli, here: Path, mine: Path) -> None:
    (here / "hangs.py").write_text(HANGS)
    ran = cli("check", "hangs.py", "mine.py", "--import-timeout", "3", "--format", "json")
    assert ran.code == 2
    assert "hangs.py: its import did not finish within 3 s; allow more time with --import-timeout" in ran.err
    document = json.loads(ran.out)
    assert [r["verdict"] for r in document["results"]] == ["proved"]
    assert [(e["target"], e["exit_code"]) for e in document["errors"]] == [("hangs.py", 2)]


def test_an_attack_on_a_file_that_hangs(cli, here: Path) -> None:
    (here / "hangs.py").write_text(HANGS)
    ran = cli("attack", "hangs.py", "--import-timeout", "1")
    assert ran.code == 2
    assert "hangs.py: its import did not finish within 1 s" in ran.err


def test_the_limit_of_imports_is_in_the_help(cli) -> None:
    assert "--import-timeout" in cli("check", "--help").out


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are a matter of Unix")
@pytest.mark.parametrize("command", [("check",), ("attack",), ("run",)])
def test_ctrl_c_while_a_file_is_imported(here: Path, command: tuple[str, ...]) -> None:
    (here / "hangs.py").write_text(HANGS)
    script = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from alignkit.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    target = "hangs.py::m" if command == ("run",) else "hangs.py"
    running = subprocess.Popen(
        [sys.executable, "-c", script, *command, target],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert running.stderr is not None
    if command != ("run",):  # which hands over what is printed when it is done
        assert running.stderr.readline() == "now\n"
    else:
        time.sleep(2)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=BUSY)
    assert running.returncode == 130
    assert out == ""
    assert err == "alignkit: interrupted\n"


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are a matter of Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_during_an_attack_prints_the_best_so_far(here: Path, jobs: str) -> None:
    script = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.stderr.isatty = lambda: True
from alignkit.cli import main
sys.exit(main(sys.argv[1:]))
"""
    command = ["attack", "noisy_max", "--timeout", "100", "-j", jobs, "--format", "json"]
    running = subprocess.Popen(
        [sys.executable, "-c", script, *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert running.stderr is not None
    shown = ""
    while "largest loss so far about 0." not in shown:
        shown = (shown + running.stderr.read(1))[-200:]
    os.killpg(running.pid, signal.SIGINT)
    out, _ = running.communicate(timeout=BUSY)
    assert running.returncode == 130
    [found] = json.loads(out)["attacks"]
    assert found["lower"] > 0
    assert "the search was interrupted" in found["notes"]


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are a matter of Unix")
@pytest.mark.parametrize("module", ["alignkit.checking", "z3", "alignkit.cli.entry"])
def test_ctrl_c_while_alignkit_itself_is_loaded(here: Path, module: str) -> None:
    """It comes with the import of a module, whatever that makes of exceptions."""
    script = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000): pass
            except BaseException:
                pass
sys.meta_path.insert(0, Finder())
from alignkit.cli import main
sys.exit(main(["check", "noisy_max", "-j", "1"]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=BUSY)
    assert done.returncode == 130
    assert done.stderr == "alignkit: interrupted\n"


class TestImports:
    """What a file does to its process while it is imported is one line, and no matter of the other files'."""

    FAILING_TEXT = "class Bad({base}):\n    def __str__(self): raise RuntimeError('no text')\nraise Bad()\n"

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("import os\nos._exit(3)\n", "bad.py: the file ended the process that imported it (exit code 3)"),
            ("import os\nos._exit(0)\n", "bad.py: the file ended the process that imported it (exit code 0)"),
            ("import os\nos.kill(os.getpid(), 9)\n", "bad.py: the file ended the process that imported it (killed by"),
            ("import sys\nsys.exit(0)\n", "bad.py:2: the file ends Python while it is imported"),
            ("raise KeyboardInterrupt\n", "bad.py: the file raises KeyboardInterrupt while it is imported"),
            ("raise GeneratorExit\n", "bad.py:1: the file cannot be imported: GeneratorExit"),
            ("raise BaseException('no')\n", "bad.py:1: the file cannot be imported: BaseException: no"),
            (FAILING_TEXT.format(base="Exception"), "bad.py:3: the file cannot be imported: Bad (its text cannot be"),
            (FAILING_TEXT.format(base="BaseException"), "bad.py:3: the file cannot be imported: Bad (its text cannot"),
        ],
    )  # fmt: skip
    def test_one_that_fails(self, cli, mine: Path, here: Path, source: str, words: str) -> None:
        (here / "bad.py").write_text(source)
        ran = cli("check", "bad.py", "mine.py", "-j", "1")
        assert ran.code == 2
        assert f"alignkit: {words}" in ran.err
        assert "PROVED  mine / phi" in ran.out

    @pytest.mark.parametrize(
        "source",
        [
            "import os\nos.chdir('/')\n",
            "import sys\nsys.setrecursionlimit(400)\n",
            "import sys\nsys.stdout.close()\n",
            "import sys\nsys.stdout.close()\nsys.stderr.close()\nsys.stdout = sys.stderr = None\n",
            "import os\nos.close(1)\n",
            "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n",
            "import os, sys\nos.write(1, b'{')\nsys.__stdout__ and sys.stdout.write('{')\n",
        ],
        ids=["chdir", "recursion limit", "stdout", "both", "descriptor", "signal", "print"],
    )
    def test_one_that_changes_its_process(self, cli, mine: Path, here: Path, source: str) -> None:
        (here / "odd").mkdir()
        (here / "odd" / "a.py").write_text(source)
        (here / "odd" / "b.py").write_text(source + mine.read_text())
        ran = cli("check", "odd", "mine.py", "-j", "1", "--format", "json")
        assert ran.code == 0, ran.err
        assert [r["verdict"] for r in json.loads(ran.out)["results"]] == ["proved", "proved"]

    def test_run_on_a_file_that_ends_its_process(self, cli, here: Path, baskets: Path) -> None:
        (here / "bad.py").write_text("import os\nos._exit(0)\n")
        ran = cli("run", "bad.py::m", "--data", baskets)
        assert ran.code == 2
        assert "bad.py: the file ended the process that imported it (exit code 0)" in ran.err
