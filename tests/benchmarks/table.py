"""The page docs/benchmarks.md: ``python tests/benchmarks/table.py > docs/benchmarks.md``, on a machine that is idle.

Every entry of the catalogue is checked three times after a first check that does not count. The page shows the median
and its ratio to the baseline of ``make bench``, which is run before and after each check because a machine may be twice
as fast a minute later.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_check import CATALOGUE, baseline
from bench_process import CHANGED, STARTS, check_in_a_process, one_mechanism_forgotten, run

from alignkit import attack, check
from alignkit.formatting import loss_shown
from alignkit.proofs import noisy_max, noisy_max_broken, sparse_vector, sparse_vector_broken

PAGE = """# How long a verdict takes

The times were measured by `python tests/benchmarks/table.py` on {machine}; `make bench` measures the same under
pytest-benchmark. Each time is the median of {rounds} checks in one process, after import and a first check that does
not count. The last column is the ratio to a fixed piece of work that is timed between the checks (exact sums in Python
and one small question to z3). This work took {baseline:.1f} ms here, from {lowest:.1f} beside one entry to
{highest:.1f} beside another. A check is everything that a verdict needs: the search, the proof or refutation, the worst
case and where it is attained. "With attack" is what `alignkit check` does for an entry: it also bounds the loss from
below.

The whole catalogue, {number} entries, takes {whole:.1f} s of wall time from a cold start on {cores} cores. With every
verdict in the cache it takes {unchanged:.2f} s. If one mechanism has changed, `sparse_vector_with_gap`, it takes
{changed:.2f} s; a check of that mechanism alone takes {alone:.2f} s.

| mechanism | alignment | verdict | claim | adjacency | seconds | with attack | queries | ratio |
|---|---|---|---|---|---:|---:|---:|---:|
{rows}

{over} of {number} entries take longer than 1 s. The slowest entries have many paths through an iteration, or are shown
to be one-to-one by pieces for every n and k, where D is run a second time on another noise vector. The speed of a
machine changes from minute to minute, by a half on the one that this page was made on: an entry above 0.7 s here may be
above 1 s in another run.

## Where the time goes

Of the processor time of the whole catalogue, each entry checked once in one process and its mechanism attacked,
{shares}. Most of it is Python's own work on exact numbers and terms, spread over many functions: no function of ours
takes as much as a tenth.

## How long a start takes

The table shows medians of {starts} starts of a new process, with Python's compiled files in place, and their ratios to
the import of z3, which every check needs.

| start | seconds | ratio |
|---|---:|---:|
{started}

## Beside other tools

The table shows the seconds that other tools take on mechanisms of the same names, on a 2-core machine of this kind. The
tools do not do the same work. CheckDP also finds the alignment, which alignkit is given; but as it is shipped, CheckDP
decides the case of five queries, ε = 1 and answers that are whole numbers between −10 and 10, whereas alignkit's
verdict is for every n, k and ε over the reals. ShadowDP proves claims for every n from hand-made annotations; its
authors give at most 3 s each. StatDP and DP-Sniper test samples and prove nothing.

| mechanism | CheckDP | alignkit |
|---|---:|---:|
{others}

StatDP takes 7 to 12 s per mechanism on two cores, DP-Sniper 58 to 111 s.

## What an attack certifies in 10 s on one core

The table shows alignkit's lower bounds at a claimed ε of 0.1, beside those that the authors of DP-Sniper report for
mechanisms of these kinds at that claim. (DP-Sniper attacks samplers without knowing the program; alignkit reads the
program.) `make bench` asserts alignkit's bounds.

| mechanism | DP-Sniper | alignkit | by | proved |
|---|---:|---:|---|---|
{attacks}

Noisy max with half the noise loses at most 2ε = 0.2, by the alignment that raises the winner, so no attack can show a
loss of 0.238. The mechanism that also releases the maximum does lose more.
"""

ROUNDS = 3

START_ROUNDS = 10

# CheckDP's seconds, and the entry that is nearest.
CHECKDP = {
    "sparse vector": ("15.1", "sparse_vector", "phi"),
    "sparse vector with gap": ("11.3", "sparse_vector_with_gap", "gap_phi"),
    "sparse vector, monotone (up / down; both)": ("12.7 / 6.3", "sparse_vector_monotone", "monotone_phi"),
    "adaptive sparse vector": ("102.7", "adaptive_sparse_vector", "phi"),
    "noisy max": ("242.8", "noisy_max", "phi"),
}

# DP-Sniper's lower bounds at a claim of 0.1, and the alignment that is nearest with what is proved of its mechanism.
SNIPER = {
    "noisy max": (".084", noisy_max.phi, "0.1"),
    "sparse vector": (".078", sparse_vector.phi, "0.1"),
    "sparse vector that releases the tested answer": (".170", sparse_vector_broken.answer_phi, "-"),
    "sparse vector without query noise": ("1.757", sparse_vector_broken.without_query_noise_phi, "-"),
    "sparse vector without a bound on the winners": (".260", sparse_vector_broken.without_bound_phi, "-"),
    "noisy max that releases the maximum": (".238", noisy_max_broken.maximum_phi, "-"),
    "noisy max with half the noise": (".238", noisy_max_broken.half_the_noise_phi, "0.2"),
}


def attacks() -> list[str]:
    """The rows of the attacks."""
    rows = []
    for name, (theirs, phi, proved) in SNIPER.items():
        print(f"attacking {name}", file=sys.stderr)
        bound = attack(phi, eps=Fraction(1, 10), timeout=10)
        rows.append(f"| {name} | {theirs} | {loss_shown(bound.loss)} | {bound.method} | {proved} |")
    return rows


def timed(run: Callable[[], object]) -> float:
    """The seconds that a run takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def medians(run: Callable[[], object]) -> tuple[float, float]:
    """The medians of some runs after a first one, and of the baseline between them."""
    run()
    times, beside = [], [timed(baseline)]
    for _ in range(ROUNDS):
        times.append(timed(run))
        beside += [timed(baseline), timed(baseline)]
    return statistics.median(times), statistics.median(beside)


# What a check says that it does, for each of its parts; what comes before is the search for a counterexample.
PARTS = {
    "proving": "proofs",
    "asking for a second opinion": "second opinions",
    "looking for the worst case of the cost": "worst cases",
    "bounding the loss from below": "attacks",
}

SEARCH = "the search for counterexamples"


def shares() -> str:
    """The shares of the parts of a check in the time of the whole catalogue, in words."""
    spent: Counter[str] = Counter()
    for alignment in CATALOGUE:
        part, since = SEARCH, time.process_time()

        def note(text: str) -> None:
            nonlocal part, since
            spent[part] += time.process_time() - since
            part, since = PARTS.get(text, SEARCH), time.process_time()

        result = check(alignment, progress=note)
        note("bounding the loss from below")
        _ = result.privacy.leak
        note("")
    whole = sum(spent.values())
    named = [f"{100 * seconds / whole:.0f} % goes into {part}" for part, seconds in spent.most_common()]
    return ", ".join(named[:-1]) + f" and {named[-1]}"


def started() -> list[str]:
    """The rows of the starts, which take turns; the first start of each does not count."""
    times: dict[str, list[float]] = {name: [] for name in STARTS}
    for _ in range(START_ROUNDS + 1):
        for name, arguments in STARTS.items():
            times[name].append(timed(lambda arguments=arguments: run(*arguments)))
    found = {name: statistics.median(seconds[1:]) for name, seconds in times.items()}
    return [f"| {name} | {seconds:.2f} | {seconds / found['import z3']:.1f} |" for name, seconds in found.items()]


def with_the_cache() -> tuple[float, float, float]:
    """Seconds of the catalogue where nothing has changed, and one mechanism; and of that mechanism alone."""
    unchanged, changed, alone = [], [], []
    with TemporaryDirectory() as folder:
        forget = one_mechanism_forgotten(Path(folder))
        for _ in range(ROUNDS):
            unchanged.append(timed(lambda: check_in_a_process(cache=Path(folder, "cache"))))
            forget()
            changed.append(timed(lambda: check_in_a_process(cache=Path(folder, "cache"))))
            alone.append(timed(lambda: check_in_a_process(CHANGED)))
    return statistics.median(unchanged), statistics.median(changed), statistics.median(alone)


def main() -> None:
    found: dict[tuple[str, str], float] = {}
    units, rows = [], []
    for number, alignment in enumerate(CATALOGUE, 1):
        print(f"{number} of {len(CATALOGUE)}: {alignment.mechanism.name} {alignment.name}", file=sys.stderr)
        result = check(alignment)
        seconds, unit = medians(lambda alignment=alignment: check(alignment, effort=0))
        attacked, _ = medians(lambda alignment=alignment: check(alignment).privacy.leak)
        units.append(unit)
        found[alignment.mechanism.name, alignment.name] = seconds
        claim = f"`{result.claim}`" + ("" if result.delta is None else f", δ `{result.delta}`")
        cells = (
            alignment.mechanism.name, alignment.name, str(result.verdict), claim, result.adjacency,
            f"{seconds:.2f}", f"{attacked:.2f}", str(result.queries), f"{seconds / unit:.0f}",
        )  # fmt: skip
        rows.append(f"| {' | '.join(cells)} |")
    whole = timed(check_in_a_process)
    unchanged, changed, alone = with_the_cache()
    others = [f"| {name} | {theirs} | {found[m, a]:.2f} |" for name, (theirs, m, a) in CHECKDP.items()]
    print(
        PAGE.format(
            machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
            rounds=ROUNDS, baseline=statistics.median(units) * 1000, lowest=min(units) * 1000,
            highest=max(units) * 1000, number=len(CATALOGUE), cores=os.cpu_count(), whole=whole,
            unchanged=unchanged, changed=changed, alone=alone, shares=shares(),
            rows="\n".join(rows), over=sum(s > 1 for s in found.values()), others="\n".join(others),
            attacks="\n".join(attacks()), starts=START_ROUNDS, started="\n".join(started()),
        ),
        end="",
    )  # fmt: skip


if __name__ == "__main__":
    main()
