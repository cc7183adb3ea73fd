"""Exact releases a second: noisy max and top-k with discrete noise, beside OpenDP's on the same answers.

1,657 queries, k = 10, ε = 0.7, each side with the scale that its own accounting asks for. Neither computes its noise in
floating point.
"""

from __future__ import annotations

import random

import opendp.prelude as dp

from alignkit import check
from alignkit.proofs.discrete_selection import max_phi, top_k_phi

QUERIES = [random.Random(1).randrange(20_000) for _ in range(1657)]
EPS = 0.7
K = 10


def measurement(kind: str):
    """OpenDP's noisy max or top-k for answers that change by up to 1 each, at ε."""
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    if kind == "max":
        return dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2 / EPS)
    return dp.m.make_noisy_top_k(*space, dp.max_divergence(), k=K, scale=2 * K / EPS)


def bench_noisy_max(benchmark) -> None:
    benchmark.group = "noisy max"
    proof = check(max_phi, effort=0)
    benchmark(lambda: max_phi.mechanism.release(QUERIES, eps=EPS, proof=proof))


def bench_noisy_max_opendp(benchmark) -> None:
    benchmark.group = "noisy max"
    measure = measurement("max")
    assert measure.map(1) <= EPS + 1e-9
    benchmark(lambda: measure(QUERIES))


def bench_top_k(benchmark) -> None:
    benchmark.group = "top-k"
    proof = check(top_k_phi, effort=0)
    benchmark(lambda: top_k_phi.mechanism.release(QUERIES, k=K, eps=EPS, proof=proof))


def bench_top_k_opendp(benchmark) -> None:
    benchmark.group = "top-k"
    measure = measurement("top-k")
    assert measure.map(1) <= EPS + 1e-9
    benchmark(lambda: measure(QUERIES))
