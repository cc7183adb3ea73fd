"""The page docs/benchmarks.md: ``python tests/benchmarks/table.py > docs/benchmarks.md``, on a machine that is idle.

Every entry of the catalogue is checked three times after a first one; the median is told, and its ratio to the baseline
that ``make bench`` measures beside it.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from bench_check import CATALOGUE, baseline

from alignkit import check

PAGE = """# How long a verdict takes

Measured by `python tests/benchmarks/table.py` on {machine}; `make bench` measures the same under pytest-benchmark.
Times are medians of {rounds} checks after import, a first one left out, in one process; the last column is the ratio to
a fixed piece of work (exact sums in Python and one small question to z3, {baseline:.1f} ms here). A check is everything
that `alignkit check` does for an entry: the search, the proof or refutation, the worst case and where it is attained.

The whole catalogue, {number} entries, from a cold start on {cores} cores: {whole:.1f} s wall.

| mechanism | alignment | verdict | claim | adjacency | seconds | queries | ratio |
|---|---|---|---|---|---:|---:|---:|
{rows}

{over} of {number} entries take longer than 1 s. The slowest are one-to-one by pieces over every n and k: there D is run
a second time, on another noise vector.

## Beside other tools

Seconds that other tools take on mechanisms of the same names, on a 2-core machine of this kind. They do not do the
same: CheckDP finds the alignment as well, which alignkit is given; as it is shipped it decides five queries, ε = 1 and
answers that are whole numbers between −10 and 10, where alignkit's verdict is for every n, k and ε over the reals.
ShadowDP proves for every n from hand-made annotations; its authors give at most 3 s each. StatDP and DP-Sniper test
samples and prove nothing.

| mechanism | CheckDP | alignkit |
|---|---:|---:|
{others}

StatDP takes 7 to 12 s a mechanism on two cores, DP-Sniper 58 to 111 s.
"""

ROUNDS = 3

# CheckDP's seconds, and the entry that is nearest.
CHECKDP = {
    "sparse vector": ("15.1", "sparse_vector", "phi"),
    "sparse vector with gap": ("11.3", "sparse_vector_with_gap", "gap_phi"),
    "sparse vector, monotone (up / down; both)": ("12.7 / 6.3", "sparse_vector_monotone", "monotone_phi"),
    "adaptive sparse vector": ("102.7", "adaptive_sparse_vector", "phi"),
    "noisy max": ("242.8", "noisy_max", "phi"),
}


def median(run: Callable[[], object]) -> float:
    """The median of some runs after a first one."""
    run()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def main() -> None:
    unit = median(baseline)
    found: dict[tuple[str, str], float] = {}
    rows = []
    for number, alignment in enumerate(CATALOGUE, 1):
        print(f"{number} of {len(CATALOGUE)}: {alignment.mechanism.name} {alignment.name}", file=sys.stderr)
        result = check(alignment)
        seconds = median(lambda alignment=alignment: check(alignment))
        found[alignment.mechanism.name, alignment.name] = seconds
        cells = (
            alignment.mechanism.name, alignment.name, str(result.verdict), f"`{result.claim}`", result.adjacency,
            f"{seconds:.2f}", str(result.queries), f"{seconds / unit:.0f}",
        )  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "alignkit", "check", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    whole = time.perf_counter() - started
    others = [f"| {name} | {theirs} | {found[m, a]:.2f} |" for name, (theirs, m, a) in CHECKDP.items()]
    print(
        PAGE.format(
            machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
            rounds=ROUNDS, baseline=unit * 1000, number=len(CATALOGUE), cores=os.cpu_count(), whole=whole,
            rows="\n".join(rows), over=sum(s > 1 for s in found.values()), others="\n".join(others),
        ),
        end="",
    )  # fmt: skip


if __name__ == "__main__":
    main()
