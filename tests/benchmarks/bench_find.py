"""How long it takes to find and prove an alignment, beside the baseline of bench_check.

``make bench`` runs these; docs/records/times.txt has the figures. Targets, medians after import: half of the pairs of
mechanism and adjacency in 0.6 s, nine in ten in 2 s, proof included.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from bench_check import baseline

from alignkit import Alignment, find

sys.path.insert(0, str(Path(__file__).parent.parent))

from finding.reach import entries


def names(alignment: Alignment) -> str:
    return f"{alignment.mechanism.name}-{alignment.adjacency}"


def bench_baseline(benchmark) -> None:
    benchmark.group = "find"
    benchmark(baseline)


@pytest.mark.parametrize("alignment", list(entries()), ids=names)
def bench_find(benchmark, alignment: Alignment) -> None:
    benchmark.group = "find"
    arguments = {"adjacency": str(alignment.adjacency), "effort": 0}
    findings = benchmark.pedantic(find, args=(alignment.mechanism,), kwargs=arguments, rounds=3, warmup_rounds=1)
    benchmark.extra_info["found"] = findings.proved is not None
