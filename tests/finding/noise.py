"""Search for the least noise that the claims of the catalogue need, and print what was found.

    PYTHONPATH=tests python tests/finding/noise.py

prints the record docs/records/least_noise.txt: each mechanism with its proved claim; then the same claim for answers
that all change in one direction.
"""

from __future__ import annotations

from dataclasses import dataclass

from finding.reach import entries

from alignkit import Mechanism, least_noise

HEAD = """\
| mechanism | adjacency | claim | scales that suffice | sum of variances, times |
|---|---|---|---|---|"""


@dataclass(frozen=True)
class Trial:
    """A mechanism with an adjacency and a claim."""

    mechanism: Mechanism
    adjacency: str
    claim: str

    def __str__(self) -> str:
        return f"{self.mechanism.name} {self.adjacency}"


def trials() -> tuple[list[Trial], list[Trial]]:
    """The proved entries of the catalogue, but those of sums, several loops and shapes of output.

    What is proved for any change is tried for changes in one direction as well.
    """
    listed = [
        Trial(entry.mechanism, str(entry.adjacency), entry.claim)
        for entry in entries()
        if not entry.file.endswith(("fresh_thresholds.py", "output_shapes.py", "several_loops.py", "sums.py"))
    ]
    one_way = [
        Trial(trial.mechanism, "monotone", trial.claim)
        for trial in listed
        if trial.adjacency == "each" and any(kind.vector for kind in trial.mechanism.private.values())
    ]
    return listed, one_way


def row(trial: Trial) -> str:
    """A row of a table."""
    found = least_noise(trial.mechanism, trial.claim, adjacency=trial.adjacency, timeout=120)
    start = f"| `{trial.mechanism.name}` | {trial.adjacency} | `{trial.claim}` |"
    least = found.least
    if least is None:
        return f"{start} {'as it is' if found.as_it_is else 'not found'} | |"
    scales = ", ".join(f"{scale.draw}: `{scale.after.partition(' with ')[0]}`" for scale in least.scales)
    _, _, roots = least.scales[0].after.partition(" with ")
    factors = dict.fromkeys(f"{each.after / each.before:.2f}" for each in least.measured)
    return f"{start} {scales}{f'; `{roots}`' if roots else ''} | {', '.join(factors)} |"


def main() -> None:
    for table in trials():
        print(HEAD)
        for trial in table:
            print(row(trial), flush=True)
        print()


if __name__ == "__main__":
    main()
