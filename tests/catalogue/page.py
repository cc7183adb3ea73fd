"""The page docs/catalogue.md, with every verdict: ``python tests/catalogue/page.py > docs/catalogue.md``."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from alignkit import check
from alignkit.catalogue import find_alignments
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment

OPINIONS = json.loads((Path(__file__).parents[1] / "confirming" / "opinions.json").read_text(encoding="utf-8"))

HEAD = """# The catalogue

This page shows the verdict of `alignkit check` on every entry, mechanism by mechanism. An entry that ends in
`as_printed` is what a paper prints if that does not hold; what does hold stands beside it, and
[the audit](paper_audit.md) has the details. "Proved" means proved for every n and all public parameters. The last
column is what [a second program](second_opinion.md) says of a proof, or of the alignment that is refuted. The page is
written by `python tests/catalogue/page.py`.
"""


def told(result: Result) -> str:
    """The verdict in a few words."""
    found = result.counterexample
    if found is not None:
        return f"refuted: {found.condition.replace('_', ' ')}"
    if result.ex_post:
        return f"{result.verdict}, ex post, worst case `{result.cost}`"
    return f"{result.verdict}, costs `{result.cost}`" if result.slack else str(result.verdict)


def row(alignment: Alignment, result: Result | None = None) -> str:
    """The entry's line; without a result, its beginning."""
    summary = inspect.getdoc(alignment.python).splitlines()[0]
    cells = f"| `{alignment.name}` | `{alignment.claim}` | {alignment.adjacency} | {summary} |"
    return cells if result is None else f"{cells} {told(result)} | {opinion(alignment)} |"


def opinion(alignment: Alignment) -> str:
    """What the second program says of an entry, without its reasons."""
    said = OPINIONS[f"proofs/{Path(alignment.file).name}::{alignment.name}"]
    return said.split(";")[0].split(":")[0].removeprefix("confirmed for ")


def families() -> dict[str, dict[str, list[Alignment]]]:
    """The entries by file, then by mechanism."""
    found: dict[str, dict[str, list[Alignment]]] = {}
    for alignment in find_alignments([]):
        family = found.setdefault(Path(alignment.file).stem, {})
        family.setdefault(alignment.mechanism.name, []).append(alignment)
    return found


def main() -> None:
    print(HEAD)
    for family, mechanisms in families().items():
        print(f"## {family.replace('_', ' ')}\n")
        for name, alignments in mechanisms.items():
            print(f"**{name}**: {inspect.getdoc(alignments[0].mechanism.python).splitlines()[0]}\n")
            print("| alignment | claim | adjacency | what it does | verdict | second opinion |")
            print("|---|---|---|---|---|---|")
            for alignment in alignments:
                print(row(alignment, check(alignment)))
            print()


if __name__ == "__main__":
    main()
