"""Whole processes: what a user waits for at the prompt, beside an start of Python and imports alone.

Targets: the whole catalogue in 20 s wall on 2 cores from a cold start; ``alignkit --version`` in 0.12 s and
``alignkit list`` in 0.5 s; ``import alignkit`` under 0.15 s more than numpy alone.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

# What a user starts, and what it is compared with: Python alone, and the import that every check needs.
STARTS = {
    "python -c pass": ("-c", "pass"),
    "import z3": ("-c", "import z3"),
    "alignkit --version": ("-m", "alignkit", "--version"),
    "alignkit list": ("-m", "alignkit", "list"),
    "from alignkit import check": ("-c", "from alignkit import check"),
    "the catalogue's alignments": ("-c", "from alignkit.catalogue import alignments; alignments()"),
}


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def bench_import_numpy(benchmark) -> None:
    benchmark.group = "import"
    benchmark.pedantic(run, args=("-c", "import numpy"), rounds=7, warmup_rounds=1)


def bench_import_alignkit(benchmark) -> None:
    benchmark.group = "import"
    benchmark.pedantic(run, args=("-c", "import alignkit"), rounds=7, warmup_rounds=1)


@pytest.mark.parametrize("start", STARTS)
def bench_start(benchmark, start: str) -> None:
    benchmark.group = "start"
    benchmark.pedantic(run, args=STARTS[start], rounds=10, warmup_rounds=1)


def bench_whole_catalogue(benchmark) -> None:
    benchmark.group = "whole catalogue"
    benchmark.pedantic(run, args=("-m", "alignkit", "check", "--quiet"), rounds=3, warmup_rounds=1)
