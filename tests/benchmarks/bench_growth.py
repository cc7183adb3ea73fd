"""How the time of a verdict grows with the branches of a program, beside the same program with half as many.

``make bench`` runs these; docs/benchmarks.md has the figures. Target: 32 branches of an adaptive sparse vector, and six
tests of one answer against one noisy threshold, decided in at most 10 s each. Read the figures of a family as ratios.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench_check import baseline

from alignkit import check

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.defining import define_in
from support.many_branches import adaptive_sparse_vector, several_tests


def bench_baseline(benchmark) -> None:
    benchmark.group = "growth"
    benchmark(baseline)


@pytest.mark.parametrize("branches", [4, 8, 16, 32])
def bench_adaptive_sparse_vector(benchmark, branches: int, tmp_path: Path) -> None:
    _bench(benchmark, adaptive_sparse_vector(branches), tmp_path)


@pytest.mark.parametrize("tests", [3, 4, 5, 6])
def bench_several_tests(benchmark, tests: int, tmp_path: Path) -> None:
    _bench(benchmark, several_tests(tests), tmp_path)


def _bench(benchmark, source: str, folder: Path) -> None:
    benchmark.group = "growth"
    phi = define_in(folder, source).phi
    result = benchmark.pedantic(check, args=(phi,), kwargs={"effort": 0}, rounds=3, warmup_rounds=1)
    benchmark.extra_info["queries"] = result.queries
    assert result.as_expected
