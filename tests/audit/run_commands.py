"""Runs every command of docs/paper_audit.md once and compares what it prints with its rows: `make audit`.

Prints a line for each command, and exits with 1 if one fails or prints something else than its rows say. Words after
the name of this script pick the commands that contain one of them.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.audit_page import ROOT, Expected, expectations, problem

# The longest command measures the papers' figures, in minutes.
SECONDS = 1_800


def run(command: str, expected: Expected) -> tuple[str, float]:
    """What is wrong with a command, and how many seconds it took."""
    program, *arguments = shlex.split(command)
    module = [] if program == "python" else ["-m", program]
    quiet = ["-q", "-p", "no:cacheprovider"] if program == "pytest" else []
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, *module, *arguments, *quiet],
            cwd=ROOT,
            env=os.environ | {"ALIGNKIT_CACHE_DIR": ""},  # no verdicts of earlier runs
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {SECONDS} s", time.perf_counter() - start
    return problem(command, expected, done.returncode, done.stdout), time.perf_counter() - start


def main(words: list[str]) -> int:
    picked = {
        command: expected
        for command, expected in expectations().items()
        if not words or any(word in command for word in words)
    }
    wrong = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for command, (trouble, seconds) in zip(picked, pool.map(run, picked, picked.values()), strict=True):
            wrong += bool(trouble)
            note = f"WRONG ({trouble})" if trouble else "ok"
            print(f"{seconds:6.1f} s  {command}  {note}", flush=True)
    print(f"{len(picked)} commands, {wrong} wrong")
    return 1 if wrong or not picked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
