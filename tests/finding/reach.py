"""Search for an alignment of every mechanism of the catalogue that has a proved one, and print what was found.

    python tests/finding/reach.py

prints the record docs/records/found.txt. The search is given the mechanism and the adjacency alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from alignkit import Alignment, find
from alignkit.catalogue import alignments


def entries() -> Iterator[Alignment]:
    """The proved alignments of the catalogue, one for each mechanism and adjacency.

    Claims on adaptive queries, mechanisms that call mechanisms, claims with delta and released code are left out: the
    search proposes no claims of the first kind and no lemmas, and the others have pages of their own.
    """
    seen = set()
    for alignment in alignments():
        key = (alignment.mechanism.name, alignment.adjacency)
        elsewhere = alignment.delta is not None or Path(alignment.file).stem.startswith(("composition", "in_the_wild"))
        left_out = alignment.adaptive or elsewhere
        if alignment.expect == "proved" and not left_out and key not in seen:
            seen.add(key)
            yield alignment


def row(alignment: Alignment) -> str:
    """A row of the table."""
    proposal = find(alignment.mechanism, adjacency=str(alignment.adjacency)).proved
    shown = "not found" if proposal is None else f"`{proposal.claim}`"
    return f"| `{alignment.mechanism.name}` | {alignment.adjacency} | `{alignment.claim}` | {shown} |"


def main() -> None:
    print("| mechanism | adjacency | the catalogue's claim | found and proved |")
    print("|---|---|---|---|")
    for alignment in entries():
        print(row(alignment), flush=True)


if __name__ == "__main__":
    main()
