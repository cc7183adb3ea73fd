"""Search for alignments of mechanisms that the finder's shapes were not made for, and print what was found.

    PYTHONPATH=tests python -m finding.further

prints the table of docs/finding_results.md. The search is given the mechanism and the adjacency alone.
"""

from __future__ import annotations

from finding.further_mechanisms import ROWS, Row

from alignkit import find


def line(row: Row) -> str:
    """A row of the table."""
    findings = find(row.mechanism, adjacency=row.adjacency)
    if findings.proved is not None:
        shown = f"`{findings.proved.claim}`"
    elif findings.proposals:
        shown = "not found: no proposal was proved"
    else:
        shown = "not found: nothing was proposed"
    return f"| `{row.mechanism.name}` | {row.adjacency} | `{row.textbook}` | {shown} |"


def main() -> None:
    print("| mechanism | adjacency | a textbook's claim | found and proved |")
    print("|---|---|---|---|")
    for row in ROWS:
        print(line(row), flush=True)


if __name__ == "__main__":
    main()
