"""Exact releases a second: noisy max and top-k with discrete noise, beside OpenDP's on the same answers.

k = 10, ε = 0.7, each side with the scale that its own accounting asks for. Neither computes its noise in floating
point. How the two compare depends on the answers: where all are equal, which data hardly are, OpenDP is much faster
than where they differ. `python tests/benchmarks/bench_release.py` prints the table of docs/release.md.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import opendp.prelude as dp
import pytest

from alignkit import check, release
from alignkit.data import read_counts
from alignkit.proofs.discrete_selection import max_phi, top_k_phi

EPS = 0.7
K = 10
ITEMS = 1657
ROUNDS = 101
REAL = {"T10I4D100K": "T10I4D100K.dat.gz", "Kosarak's first 36,682 lines": "kosarak_first_36k.dat.gz"}

Release = Callable[[list[int]], object]


def answers_by_name() -> dict[str, list[int]]:
    """Lists of answers; real counts are among them where ``ALIGNKIT_DATA`` names the folder that holds the files."""
    generator = random.Random(1)
    counts = [round(20_000 / rank) for rank in range(1, ITEMS + 1)]
    made = {
        "distinct answers": generator.sample(range(20_000), ITEMS),
        "Zipf-like counts": generator.sample(counts, ITEMS),
        "equal answers": [10_000] * ITEMS,
    }
    folder = os.environ.get("ALIGNKIT_DATA")
    real = {f"counts of {name}": Path(folder, file) for name, file in REAL.items()} if folder else {}
    return made | {name: list(read_counts(path).counts) for name, path in real.items()}


ANSWERS = answers_by_name()


def noisy_max() -> Release:
    proof = check(max_phi, effort=0)
    return lambda answers: release(max_phi.mechanism, answers, eps=EPS, proof=proof)


def top_k() -> Release:
    proof = check(top_k_phi, effort=0)
    return lambda answers: release(top_k_phi.mechanism, answers, k=K, eps=EPS, proof=proof)


def _space():
    dp.enable_features("contrib")
    return dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)


def noisy_max_opendp() -> Release:
    """OpenDP's noisy max for answers that change by up to 1 each, at ε."""
    measure = dp.m.make_noisy_max(*_space(), dp.max_divergence(), scale=2 / EPS)
    assert measure.map(1) <= EPS + 1e-9
    return measure


def top_k_opendp() -> Release:
    """OpenDP's noisy top-k for answers that change by up to 1 each, at ε."""
    measure = dp.m.make_noisy_top_k(*_space(), dp.max_divergence(), k=K, scale=2 * K / EPS)
    assert measure.map(1) <= EPS + 1e-9
    return measure


SIDES = {"noisy max": (noisy_max, noisy_max_opendp), "top-k": (top_k, top_k_opendp)}


@pytest.mark.parametrize("answers", ANSWERS)
@pytest.mark.parametrize("mechanism", SIDES)
@pytest.mark.parametrize("side", ["alignkit", "opendp"])
def bench_release(benchmark, side: str, mechanism: str, answers: str) -> None:
    benchmark.group = f"{mechanism}, {answers}"
    release = SIDES[mechanism][side == "opendp"]()
    benchmark(release, ANSWERS[answers])


def beside(mechanism: str, answers: list[int]) -> tuple[float, float, float]:
    """Median milliseconds of both sides, which take turns, and the median ratio of neighbours."""
    sides = [make() for make in SIDES[mechanism]]
    pairs = []
    for _ in range(ROUNDS):
        times = []
        for side in sides:
            start = time.perf_counter()
            side(answers)
            times.append(1000 * (time.perf_counter() - start))
        pairs.append(times)
    ours, theirs = zip(*pairs[1:])  # the first makes the tables of the noise
    return (
        statistics.median(ours),
        statistics.median(theirs),
        statistics.median(their / our for our, their in pairs[1:]),
    )


def main() -> None:
    print("| answers | | alignkit | OpenDP | ratio |")
    print("|---|---|---:|---:|---:|")
    for name, answers in ANSWERS.items():
        for mechanism in SIDES:
            ours, theirs, ratio = beside(mechanism, answers)
            print(f"| {len(answers):,} {name} | {mechanism} | {ours:.2f} ms | {theirs:.1f} ms | {ratio:.1f} |")


if __name__ == "__main__":
    main()
