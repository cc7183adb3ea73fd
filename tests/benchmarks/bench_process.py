"""Whole processes: what a user waits for at the prompt, beside an import of numpy alone.

Targets: the whole catalogue in 20 s wall on 2 cores from a cold start; ``import alignkit`` under 0.15 s more than
numpy alone.
"""

from __future__ import annotations

import subprocess
import sys


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def bench_import_numpy(benchmark) -> None:
    benchmark.group = "import"
    benchmark.pedantic(run, args=("-c", "import numpy"), rounds=7, warmup_rounds=1)


def bench_import_alignkit(benchmark) -> None:
    benchmark.group = "import"
    benchmark.pedantic(run, args=("-c", "import alignkit"), rounds=7, warmup_rounds=1)


def bench_whole_catalogue(benchmark) -> None:
    benchmark.group = "whole catalogue"
    benchmark.pedantic(run, args=("-m", "alignkit", "check", "--quiet"), rounds=3, warmup_rounds=1)
