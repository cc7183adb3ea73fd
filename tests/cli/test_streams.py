"""Output streams that are closed, full or not writable: the exit code, and one line at most."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

ALIGNKIT = f"{sys.executable} -m alignkit"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="streams are redirected by a shell")


def shell(command: str, here: Path, *, unbuffered: bool = False) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONUNBUFFERED": "1" if unbuffered else ""}
    done = subprocess.run(
        ["sh", "-c", command.replace("alignkit", ALIGNKIT, 1)],
        cwd=here, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert "Traceback" not in done.stdout + done.stderr
    assert "internal error" not in done.stdout + done.stderr
    return done


slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        slow("alignkit list >&-", 0),
        ("alignkit list >&- 2>&-", 0),
        slow("alignkit check noisy_max::phi -j 1 >&-", 0),
        ("alignkit check noisy_max::phi -j 2 2>&-", 0),
        ("alignkit check broken.py -j 2 >&-", 1),
        slow("alignkit check broken.py -j 1 >&- 2>&-", 1),
        ("alignkit check nowhere >&- 2>&-", 2),
    ],
)
def test_a_closed_stream_leaves_the_exit_code(broken: Path, command: str, code: int) -> None:
    assert shell(command, broken.parent).returncode == code


def test_messages_do_not_move_to_stdout_where_stderr_is_closed(here: Path) -> None:
    done = shell("alignkit check nowhere 2>&-", here)
    assert done.returncode == 2
    assert "nowhere" not in done.stdout


needs_full = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full here")


@needs_full
@pytest.mark.parametrize("unbuffered", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "command", ["list", slow("list --format json"), slow("check --help"), "check noisy_max -j 1", slow("new mine")]
)
def test_a_report_that_cannot_be_written_is_an_error(here: Path, command: str, unbuffered: bool) -> None:
    done = shell(f"alignkit {command} >/dev/full", here, unbuffered=unbuffered)
    assert done.returncode == 2
    assert done.stderr == "alignkit: the report cannot be written to stdout: No space left on device\n"


@needs_full
@pytest.mark.parametrize("unbuffered", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("command", "code"), [("list", 0), ("check nowhere", 2)])
def test_a_message_that_cannot_be_written_leaves_the_exit_code(
    here: Path, command: str, code: int, unbuffered: bool
) -> None:
    assert shell(f"alignkit {command} 2>/dev/full", here, unbuffered=unbuffered).returncode == code
