"""How long a verdict takes, beside a baseline of plain Python and z3 work on the same machine.

``make bench`` runs these; docs/benchmarks.md has the figures. Target: an entry of the catalogue decided in 1 s (median,
after import). Read the figures as ratios to the baseline where machines differ.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import z3

from alignkit import check
from alignkit.catalogue import find_alignments
from alignkit.running.alignment_decorator import Alignment

CATALOGUE: list[Alignment] = find_alignments([])


def names(alignment: Alignment) -> str:
    return f"{alignment.mechanism.name}-{alignment.name}"


def baseline() -> Fraction:
    """A fixed amount of exact arithmetic, and one small question to z3."""
    total = Fraction(0)
    for i in range(1, 2000):
        total += Fraction(1, i % 7 + 1) * i
    x, y = z3.Reals("x y")
    solver = z3.SolverFor("QF_NRA")
    solver.add(x * y > 1, x < 0, y > 0)
    assert solver.check() == z3.unsat
    return total


def bench_baseline(benchmark) -> None:
    benchmark.group = "check"
    benchmark(baseline)


@pytest.mark.parametrize("alignment", CATALOGUE, ids=names)
def bench_check(benchmark, alignment: Alignment) -> None:
    benchmark.group = "check"
    # Without the attack that bounds the loss from below: no verdict waits for it.
    result = benchmark.pedantic(check, args=(alignment,), kwargs={"effort": 0}, rounds=5, warmup_rounds=1)
    benchmark.extra_info["queries"] = result.queries
    assert result.as_expected
