"""How long it takes to find an alignment: ``python tests/benchmarks/find_table.py``, on a machine that is idle.

It writes the record docs/records/times.txt, a row for each mechanism and adjacency of the catalogue, and prints the
section of docs/finding_results.md on times.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench_check import baseline
from bench_find import entries
from finding.peer_programs import CHECKDP, PROGRAMS, PeerProgram

from alignkit import find

TIMES = Path(__file__).parents[2] / "docs" / "records" / "times.txt"

HEAD = """| mechanism | adjacency | found and proved | seconds | ratio |
|---|---|---|---:|---:|
"""

SECTION = """## How long it takes

These are seconds of processor time, measured by `python tests/benchmarks/find_table.py` on {machine};
`make bench` measures wall time under pytest-benchmark. Each is the median of {rounds} searches in one process, after
import and a first search that does not count. It includes the proof and the lower bound. The page of each entry of
[the catalogue](catalogue.md) has its time, with the ratio to the baseline of [benchmarks](benchmarks.md), a fixed piece
of work that is timed between the searches.

Half of the {number} pairs of mechanism and adjacency take at most {half:.2f} s, and nine in ten at most {most:.2f} s.
{above} take longer than 2 s.

CheckDP finds alignments too. Its times are those of [benchmarks](benchmarks.md), on a 2-core machine of this kind, for
five answers, ε = 1 and whole numbers; a proof of alignkit is for all of them. Of a program that is not private CheckDP
gives a counterexample at fixed noise; here an attack certifies a loss above the claim. The ratio of the times is
{mean:.0f} in the geometric mean over the {decided} programs that both decide, and {least:.1f} where it is least.
alignkit does not decide {undecided}.

| CheckDP's program | here | CheckDP | alignkit | outcome |
|---|---|---:|---:|---|
{others}
"""

ROUNDS = 3

# Seconds of CheckDP for each of its programs; None where it gave no answer in 280 s.
SECONDS = {
    "sparsevector": 15.1,
    "gapsparsevector": 11.3,
    "numsparsevector": 23.6,
    "svt_increasing": 12.7,
    "svt_decreasing": 6.3,
    "adaptivesparsevector": 102.7,
    "noisymax": 242.8,
    "partialsum": 2.1,
    "smartsum": 5.1,
    "badsparsevector1": 5.1,
    "badsparsevector2": 112.3,
    "badsparsevector3": 31.0,
    "badgapsparsevector": 50.3,
    "badnoisymax": 42.6,
    "badpartialsum": 1.4,
    "badsmartsum": 2.3,
    "badadaptivesparsevector": None,
}


def medians(run: Callable[[], object]) -> tuple[float, float]:
    """The medians of some runs after a first one, and of the baseline between them, in seconds of processor time."""
    run()
    times, beside = [], []
    for _ in range(ROUNDS):
        for work, found in ((run, times), (baseline, beside)):
            started = time.process_time()
            work()
            found.append(time.process_time() - started)
    return statistics.median(times), statistics.median(beside)


def outcome(program: PeerProgram) -> str:
    """What a search for the claim comes to."""
    findings = find(program.mechanism, adjacency=program.adjacency, claim=program.claim)
    if findings.proved is not None:
        return "found and proved"
    return "not private" if findings.loss is not None and findings.loss.violates else "neither"


def main() -> None:
    times, rows = [], []
    for alignment in entries():
        adjacency = str(alignment.adjacency)
        print(alignment.mechanism.name, adjacency, file=sys.stderr)
        search = partial(find, alignment.mechanism, adjacency=adjacency, effort=0)
        proposal = search().proved
        seconds, unit = medians(search)
        times.append(seconds)
        claim = "not found" if proposal is None else f"`{proposal.claim}`"
        rows.append(f"| {alignment.mechanism.name} | {adjacency} | {claim} | {seconds:.2f} | {seconds / unit:.0f} |")
    others, ratios, undecided = [], [], []
    for name, theirs in SECONDS.items():
        # Of two forms of a program the one is taken that the search can decide: with a tag for each branch.
        program = max((p for p in PROGRAMS if (CHECKDP, name) in p.names), key=lambda p: bool(p.variant))
        print(name, file=sys.stderr)
        came_to = outcome(program)
        seconds, _ = medians(partial(outcome, program))
        if came_to == "neither":
            undecided.append(f"`{name}`")
        elif theirs is not None:
            ratios.append(theirs / seconds)
        shown = "> 280" if theirs is None else f"{theirs:.1f}"
        others.append(f"| {name} | {program.mechanism.name} | {shown} | {seconds:.2f} | {came_to} |")
    TIMES.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    times.sort()
    print(
        SECTION.format(
            machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
            rounds=ROUNDS, number=len(times), half=statistics.median(times), most=times[(9 * len(times) - 1) // 10],
            above=sum(t > 2 for t in times), mean=statistics.geometric_mean(ratios),
            decided=len(ratios), least=min(ratios), undecided=", ".join(undecided), others="\n".join(others),
        ),
        end="",
    )  # fmt: skip


if __name__ == "__main__":
    main()
