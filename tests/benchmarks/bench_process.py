"""Whole processes: what a user waits for at the prompt, beside a start of Python and imports alone.

Targets: the whole catalogue in 20 s wall on 2 cores from a cold start, and in 1.5 s where the cache has all verdicts;
where one mechanism has changed, its own time more than that. ``alignkit --version`` in 0.12 s and ``alignkit list`` in
0.5 s; ``import alignkit`` under 0.15 s more than numpy alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

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

CHANGED = "sparse_vector_with_gap"


def run(*arguments: str, cache: str | Path = "") -> None:
    environment = {**os.environ, "ALIGNKIT_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)


def check_in_a_process(*targets: str, cache: str | Path = "") -> None:
    run("-m", "alignkit", "check", "--quiet", *targets, cache=cache)


def one_mechanism_forgotten(folder: Path) -> Callable[[], None]:
    """Fill the cache ``cache`` of a folder; return what makes it forget one mechanism, as if that had changed."""
    whole, alone = folder / "cache", folder / "alone"
    check_in_a_process(cache=whole)
    check_in_a_process(CHANGED, cache=alone)

    def forget() -> None:
        for file in alone.iterdir():
            (whole / file.name).unlink(missing_ok=True)

    return forget


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
    benchmark.pedantic(check_in_a_process, rounds=3, warmup_rounds=1)


def bench_catalogue_unchanged(benchmark, tmp_path: Path) -> None:
    benchmark.group = "whole catalogue"
    benchmark.pedantic(check_in_a_process, kwargs={"cache": tmp_path / "cache"}, rounds=7, warmup_rounds=1)


def bench_one_mechanism_changed(benchmark, tmp_path: Path) -> None:
    benchmark.group = "whole catalogue"
    forget = one_mechanism_forgotten(tmp_path)
    benchmark.pedantic(check_in_a_process, kwargs={"cache": tmp_path / "cache"}, setup=forget, rounds=7)


def bench_one_mechanism_alone(benchmark) -> None:
    benchmark.group = "whole catalogue"
    benchmark.pedantic(check_in_a_process, args=(CHANGED,), rounds=7, warmup_rounds=1)
