"""Runs a second of ``sample_many`` and ``sample``, as multiples of numpy's Laplace noise for as many queries.

1,657 queries with Zipf-like counts, k = 10, ε = 0.7, one core. `python tests/benchmarks/bench_sample.py` prints the
table of docs/sampling.md: CPU time, each row between two measurements of numpy.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from alignkit.mechanisms.adaptive_sparse_vector import adaptive_sparse_vector
from alignkit.mechanisms.sparse_vector import sparse_vector_with_gap
from alignkit.mechanisms.top_k import noisy_top_k_with_gap

N = 1657
QUERIES = np.random.default_rng(5).permutation([round(20_000 / rank) for rank in range(1, N + 1)]).tolist()
ABOVE_ALL, REACHED, OFTEN = 40_000, sorted(QUERIES)[-6], sorted(QUERIES)[-80]
SPARSE = {"k": 10, "eps": 0.7}
ADAPTIVE = {**SPARSE, "theta": 0.25}
MANY, SINGLE = 4000, 40

CASES = {
    "SVT with gap, no winner": (sparse_vector_with_gap, {**SPARSE, "T": ABOVE_ALL}),
    "SVT with gap, some winners": (sparse_vector_with_gap, {**SPARSE, "T": REACHED}),
    "SVT with gap, stops early": (sparse_vector_with_gap, {**SPARSE, "T": OFTEN}),
    "adaptive SVT, no winner": (adaptive_sparse_vector, {**ADAPTIVE, "T": ABOVE_ALL}),
    "adaptive SVT, some winners": (adaptive_sparse_vector, {**ADAPTIVE, "T": REACHED}),
    "top-k with gap": (noisy_top_k_with_gap, {"k": 10, "eps": 0.7}),
}


def numpy_noise() -> None:
    """Noise for MANY runs."""
    generator = np.random.default_rng(1)
    for _ in range(MANY):
        generator.laplace(0, 1, N)


def bench_numpy(benchmark) -> None:
    benchmark.group = "sample_many"
    benchmark(numpy_noise)


@pytest.mark.parametrize("case", CASES)
def bench_sample_many(benchmark, case: str) -> None:
    mechanism, given = CASES[case]
    benchmark.group = "sample_many"
    benchmark(lambda: mechanism.sample_many(QUERIES, **given, runs=MANY, seed=1))


@pytest.mark.parametrize("case", CASES)
def bench_sample(benchmark, case: str) -> None:
    mechanism, given = CASES[case]
    benchmark.group = "sample"
    benchmark(lambda: mechanism.sample(QUERIES, **given, seed=1))


def rate(action: Callable[[], object], runs: int) -> float:
    """Runs a second of CPU time."""
    start = time.process_time()
    action()
    return runs / (time.process_time() - start)


def main() -> None:
    print("| | `sample_many` | of numpy | `sample` |")
    print("|---|---:|---:|---:|")
    for case, (mechanism, given) in CASES.items():
        mechanism.sample_many(QUERIES, **given, runs=MANY, seed=0)
        noise = rate(numpy_noise, MANY)
        many = rate(lambda: mechanism.sample_many(QUERIES, **given, runs=MANY, seed=1), MANY)  # noqa: B023
        noise = (noise + rate(numpy_noise, MANY)) / 2
        single = rate(lambda: [mechanism.sample(QUERIES, **given, seed=i) for i in range(SINGLE)], SINGLE)  # noqa: B023
        print(f"| {case} | {round(many, -2):,.0f} | {many / noise:.2f} | {single:,.0f} |")


if __name__ == "__main__":
    main()
