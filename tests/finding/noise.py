"""Search for the least noise that the claims of the catalogue need, and print what was found.

    python tests/finding/noise.py

prints the tables of docs/least_noise.md: each mechanism with its proved claim; and, where that is proved for answers
that change in any direction, the same mechanism and claim for answers that all change in one direction.
"""

from __future__ import annotations

from collections.abc import Iterator

from finding.reach import entries

from alignkit import Alignment, Mechanism, least_noise

HEAD = "| mechanism | adjacency | claim | new scales | sum of variances at k = 1, 10, 100 |\n|---|---|---|---|---|"


def monotone_entries() -> Iterator[Alignment]:
    """The entries for answers that change in any direction whose mechanisms have no entry for one direction."""
    both = {entry.mechanism.name for entry in entries() if str(entry.adjacency) == "monotone"}
    for entry in entries():
        vectors = [kind for kind in entry.mechanism.private.values() if kind.vector]
        if str(entry.adjacency) == "each" and vectors and entry.mechanism.name not in both:
            yield entry


def row(mechanism: Mechanism, adjacency: str, claim: str) -> str:
    """A row of a table."""
    found = least_noise(mechanism, claim, adjacency=adjacency, budget=120)
    start = f"| `{mechanism.name}` | {adjacency} | `{claim}` |"
    least = found.least
    if least is None:
        return f"{start} {'none with less noise' if found.as_it_is else 'not found'} | |"
    scales = ", ".join(f"{scale.draw}: `{scale.after}`" for scale in least.scales)
    factors = [each.after / each.before for each in least.measured]
    return f"{start} {scales} | {', '.join(f'{factor:.3g}' for factor in dict.fromkeys(factors))} |"


def main() -> None:
    print(HEAD)
    for entry in entries():
        print(row(entry.mechanism, str(entry.adjacency), entry.claim), flush=True)
    print(f"\n{HEAD}")
    for entry in monotone_entries():
        print(row(entry.mechanism, "monotone", entry.claim), flush=True)
    for entry in entries():
        if str(entry.adjacency) == "monotone" and entry.claim == "eps / 2":
            print(row(entry.mechanism, "monotone", "eps"), flush=True)


if __name__ == "__main__":
    main()
