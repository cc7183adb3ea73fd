"""The record docs/records/brackets.txt, a bracket for every entry.

`python tests/attacking/page.py > docs/records/brackets.txt` writes it: a table of all entries, the entries that are
refuted although the mechanism is private, and a table of mechanisms with slightly too little noise. After it
`python tests/catalogue/page.py --records` writes the page that shows these figures.
"""

from __future__ import annotations

import sys
import tempfile
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from attacking.needed_parameters import needed_parameters
from attacking.slightly_wrong import EXCESSES, PROGRAMS, slightly_wrong

from alignkit import attack, check
from alignkit.attacking.brackets import with_bound
from alignkit.catalogue import find_alignments
from alignkit.checking import fold_privacy
from alignkit.formatting import loss_shown
from alignkit.results import CertifiedLoss, Result
from alignkit.running.alignment_decorator import Alignment

# The work of each attack.
EFFORT = 3000

SLIGHTLY = """| mechanism | over budget | exact cost | certified loss | at | verdict |
|---|---|---|---|---|---|"""


def cell(bound: CertifiedLoss) -> str:
    """The public parameters of a bound, but for lists and for budgets that are 1."""
    public = bound.witness.public.items()
    shown = [f"{n} = {v}" for n, v in public if not isinstance(v, tuple) and not (n.startswith("eps") and v == 1)]
    return ", ".join(shown) or "-"


def bracketed(alignment: Alignment) -> tuple[Result, CertifiedLoss]:
    """A check of an entry, and the attack on its mechanism."""
    bound = attack(alignment, parameters=needed_parameters(alignment.name), effort=EFFORT, timeout=120)
    return with_bound(alignment, check(alignment, effort=0), bound), bound


def main() -> None:
    print("| mechanism | claim | adjacency | at most | at least | by | at | the outputs | |")
    print("|---" * 9 + "|")
    entries = find_alignments([])
    pairs = []
    for number, alignment in enumerate(entries, 1):
        print(f"\r{number} of {len(entries)}", end="", file=sys.stderr)
        pairs.append(bracketed(alignment))
    results = fold_privacy(entries, [result for result, _ in pairs])
    for result, (_, bound) in zip(results, pairs, strict=True):
        claim = "" if bound.claim is None or bound.claim in (0, 1) else f" = {bound.claim:.4g}"
        print(
            f"| `{result.mechanism}` | `{result.claim}`{claim} | {result.adjacency} | {_code(result.privacy.upper)} | "
            f"{loss_shown(bound.loss)} | {bound.method} | {cell(bound)} | {bound.event} | {result.privacy.status} |"
        )
    print()
    for result in results:
        if result.verdict == "refuted" and result.privacy.status == "private":
            name = f"`{result.mechanism}` / `{result.alignment}`"
            print(f"* {name}: claims `{result.claim}`, proved `{result.privacy.upper}`")
    print()
    print(SLIGHTLY)
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            for excess in EXCESSES:
                slight(program, slightly_wrong(Path(folder), program, excess), excess)


def slight(program: str, phi: Alignment, excess: Fraction) -> None:
    """The row of a mechanism with slightly too little noise."""
    result, bound = bracketed(phi)
    assert result.counterexample is not None
    cost = result.counterexample.cost / result.counterexample.claim
    cells = [
        program.replace("_", " "),
        f"{100 * excess} %",
        f"{float(cost):.2f} ε",
        loss_shown(bound.loss),
        cell(bound),
        f"{result.verdict}, {result.privacy.status}",
    ]
    print(f"| {' | '.join(cells)} |")


def _code(text: str | None) -> str:
    return "-" if text is None else f"`{text}`"


if __name__ == "__main__":
    main()
