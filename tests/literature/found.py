"""Which proved rows of the literature `find` proves from the mechanism alone, without its alignment and invariants.

    python tests/literature/found.py [NAMES]           searches these rows, or all that are recorded as proved
    python tests/literature/found.py --write [NAMES]   records what came out in found.json too

`python tests/literature/table.py --write` prints what is recorded on the page docs/literature.md.
"""

from __future__ import annotations

import collections
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from literature.page import FOUND_CLAIMS, found_claims
from literature.row import Row
from literature.rows import ROWS
from literature.table import recorded
from literature.trying import program_of

from alignkit import Alignment, find, load
from alignkit.errors import AlignkitError

FOUND, NOT_FOUND, REFUSED = "found", "not found", "refused"


@dataclass(frozen=True)
class Search:
    """What became of the search for one row: the claim that was proved, or why none was."""

    status: str
    claim: str = ""
    shape: str = ""
    reason: str = ""
    seconds: float = 0.0


def search(row: Row, timeout: float = 20.0) -> Search:
    """Search an alignment of a row's mechanism, given its adjacency alone. ``timeout`` is in seconds."""
    file, name = program_of(row)
    phi = load(f"{file}::{name or 'phi'}")
    if not isinstance(phi, Alignment):
        return Search(REFUSED, reason="the row names no alignment, and so no mechanism")
    started = time.monotonic()
    try:
        findings = find(phi.mechanism, adjacency=row.adjacency, timeout=timeout, effort=0, bound=False)
    except AlignkitError as refusal:
        return Search(REFUSED, reason=_one_line(str(refusal)), seconds=_since(started))
    proposal = findings.proved
    if proposal is not None:
        return Search(FOUND, proposal.claim, proposal.shape, seconds=_since(started))
    return Search(NOT_FOUND, reason=_one_line(findings.reason), seconds=_since(started))


def _since(started: float) -> float:
    return round(time.monotonic() - started, 1)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:240]


def line(row: Row, outcome: Search) -> str:
    """What is printed for a row."""
    if outcome.status == FOUND:
        other = "" if outcome.claim == row.claim else f" (the row claims {row.claim})"
        return f"{row.name}: found at {outcome.claim}{other}, {outcome.shape}, {outcome.seconds} s"
    return f"{row.name}: {outcome.status}, {outcome.seconds} s; {outcome.reason}"


def main(arguments: list[str]) -> None:
    """Search the rows that are named, or all that are recorded as proved."""
    names = [argument for argument in arguments if not argument.startswith("--")]
    proved = {name for name, outcome in recorded().items() if outcome.verdict == "proved"}
    unknown = set(names) - proved
    if unknown:
        sys.exit(f"no such proved row: {', '.join(sorted(unknown))}")
    counts: collections.Counter[str] = collections.Counter()
    claims = {name: claim for name, claim in found_claims().items() if name in proved}
    for row in ROWS:
        if row.name in (names or proved):
            outcome = search(row)
            counts[outcome.status] += 1
            claims[row.name] = outcome.claim
            print(line(row, outcome), flush=True)
    print(", ".join(f"{number} {status}" for status, number in counts.most_common()))
    if "--write" in arguments:
        ordered = {row.name: claims[row.name] for row in ROWS if row.name in claims}
        FOUND_CLAIMS.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
