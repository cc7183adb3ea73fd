"""The page docs/catalogue.md, with a row for every entry.

    python tests/catalogue/page.py > /tmp/page.md

checks the whole catalogue; with ``--records`` it takes the verdicts from the page as it stands, and only the figures of
docs/records and of the second opinions anew. Then move the file to docs/catalogue.md.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation.operators import OPERATORS

from alignkit import check
from alignkit.catalogue import find_alignments
from alignkit.results import Result
from alignkit.running.alignment_decorator import Alignment

DOCS = Path(__file__).parents[2] / "docs"
PATH = DOCS / "catalogue.md"
RECORDS = DOCS / "records"
OPINIONS = json.loads((Path(__file__).parents[1] / "confirming" / "opinions.json").read_text(encoding="utf-8"))

HEAD = """# The catalogue

This page has a row for every entry: a mechanism with an alignment and its claim. An entry that ends in `as_printed` is
what a paper prints if that does not hold; what does hold stands beside it, and [the audit](paper_audit.md) has the
details.

| column | what it says |
|---|---|
| verdict | what `alignkit check` says; "proved" means proved for every n and all public parameters |
| second opinion | what [a second program](second_opinion.md) says of a proof, or of the alignment that is refuted |
| at least | a certified lower bound on the [loss](#brackets-of-the-privacy-loss) at ε = 1, of a claim other than 1 |
| found | the claim that [`find`](finding.md) proves of the mechanism alone |

A cell is empty where that was not tried. On the site each entry has [a page of its own](#a-page-for-each-entry).
`python tests/catalogue/page.py` writes this one."""

COLUMNS = f"| entry | claim | adjacency | what it does | verdict | second opinion | at least | found |\n{'|---' * 8}|"

OWN_PAGES = """## A page for each entry

`make docs` checks every entry anew and writes a page on it, so that a page cannot say more than the checker of this
version shows. Nothing on these pages is written by hand:

* the source that was checked, with the line numbers of its file;
* the proof or the refutation, as `alignkit explain` writes it ([explanations](command_line.md#explanations)), and a
  page to explore it;
* the bracket of the privacy loss;
* what `find` proves of the mechanism alone, and [how long that takes](finding_results.md#how-long-it-takes);
* [the least noise](choose_a_noise.md#the-least-noise-that-a-claim-needs) that was found to suffice for the claim;
* how many mutants were refused, refuted, undecided and proved, and why those that are proved are private;
* the rows of [the audit](paper_audit.md) that name the mechanism.

The figures stand in `docs/records`. In a terminal `alignkit list` and `alignkit explain` say most of the same.
"""

BRACKETS = """## Brackets of the privacy loss

A bracket says what a mechanism loses at most, by a proof, and at least, by an [attack](attacks.md). The upper end is
the proved worst case, for all inputs. The lower end is certified at ε = 1 (every budget is 1) and at public parameters
that the entry's page names. It is shown by an event, which is a set of outputs, and two adjacent databases; `alignkit
attack` prints these with Python code that computes the loss again. Numbers are rounded down.

A mechanism is *not private* if it loses more than the entry claims. It is *private* if an alignment, this one or
another of the same mechanism, proves that no more is lost than the upper end. No lower end lies above a proved upper
end: alignkit compares the two and stops with an internal error if one does.

![For each mechanism, its certified and its proved loss as shares of the claim](pictures/brackets.png)

### Refuted, but not a leak

These entries are refuted as proofs, and no violation is certified. Another alignment proves the same claim of the same
mechanism, so its loss stays within the claim: the alignment was at fault, not the mechanism.
"""

SLIGHTLY = """### Slightly too little noise

Each of these mechanisms has noise for a budget that is some percent larger than the claim ε. The prover refutes the
claim by a run that costs exactly the larger budget, and proves that budget; the attack certifies a lower bound on the
loss at ε = 1.
"""

MUTATION = """## Mutation

A checker that proves too much is worse than none. So every proved entry of the catalogue is changed in many small ways
(in its mechanism, its alignment or its claim), and each changed copy, called a *mutant*, is checked. A mutant may come
out

* *refused*: it lies outside the language, or uses a name that does not exist;
* *refuted*: with a counterexample that replays exactly;
* *undecided*: no proof and no counterexample was found;
* *proved*: then it must be private, and there must be an argument for that which does not come from the prover;
* *broken*: the checker fails on it, which must not happen.

{judged}

The mutants of each entry are spread over the operators below and always the same ones; `python tests/mutation/table.py
--every` judges all mutants. `make test` judges a sample of those that are counted here, `make test-all` all of them.
`docs/records/mutation.txt` has the numbers of each entry, and every proved mutant under the rule by which it is
private. Each rule is tested on the mutant, by many runs of the mutant and of its original on the same noise.

| operator | what it does |
|---|---|
"""


def told(result: Result) -> str:
    """The verdict in a few words."""
    found = result.counterexample
    if found is not None:
        return f"refuted: {found.condition.replace('_', ' ')}"
    if result.ex_post:
        return f"{result.verdict}, ex post, worst case `{result.cost}`"
    return f"{result.verdict}, costs `{result.cost}`" if result.slack else str(result.verdict)


def beginning(alignment: Alignment) -> str:
    """The entry's row up to its verdict."""
    summary = inspect.getdoc(alignment.python).splitlines()[0]
    name = f"`{alignment.mechanism.name}` / `{alignment.name}`"
    claim = f"`{alignment.claim}`" + (f", δ `{alignment.delta}`" if alignment.delta is not None else "")
    return f"| {name} | {claim} | {alignment.adjacency} | {summary} |"


def opinion(alignment: Alignment) -> str:
    """What the second program says of an entry, without its reasons."""
    said = OPINIONS[f"proofs/{Path(alignment.file).name}::{alignment.name}"]
    return said.split(";")[0].split(":")[0].removeprefix("confirmed for ")


def rows(name: str) -> list[list[str]]:
    """The cells of the rows of a record's first table that are about entries."""
    record = (RECORDS / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in record.splitlines()[2:]]


def at_least(alignment: Alignment) -> str:
    """The largest certified loss at this claim; empty for an entry that no bracket is recorded of."""
    if alignment.delta is not None:  # a loss is held against pure claims
        return ""
    about = (f"`{alignment.mechanism.name}`", f"`{alignment.claim}`", alignment.adjacency)
    losses = []
    for mechanism, claim, adjacency, _, loss, *_ in rows("brackets"):
        expression, _, value = claim.partition("` = ")
        if (mechanism, expression.rstrip("`") + "`", adjacency) == about:
            losses.append((float(loss.replace("infinite", "inf")), f"{loss} of {value}" if value else loss))
    return max(losses, default=(0, ""))[1]


def found(alignment: Alignment) -> str:
    """What is found for the entry's mechanism and adjacency, for queries that do not depend on the output."""
    if alignment.adaptive:
        return ""
    about = (f"`{alignment.mechanism.name}`", alignment.adjacency)
    return next((cells[3] for cells in rows("found") if (cells[0], cells[1]) == about), "")


def families() -> dict[str, list[Alignment]]:
    """The entries by file."""
    found_: dict[str, list[Alignment]] = {}
    for alignment in find_alignments([]):
        found_.setdefault(Path(alignment.file).stem, []).append(alignment)
    return found_


def verdict_on_page(alignment: Alignment) -> str:
    """The verdict that the page has of an entry as it stands."""
    start = beginning(alignment)
    (line,) = (line for line in PATH.read_text(encoding="utf-8").splitlines() if line.startswith(start))
    return line.removeprefix(start).strip(" |").split(" | ")[0]


def page(verdict: Callable[[Alignment], str]) -> str:
    """The page, with the verdict of each entry from this function."""
    return "\n".join([HEAD, "", *_tables(verdict), OWN_PAGES, *_brackets(), *_mutation()])


def _tables(verdict: Callable[[Alignment], str]) -> Iterator[str]:
    for family, alignments in families().items():
        yield f"## {family.replace('_', ' ')}\n\n{COLUMNS}"
        for each in alignments:
            cells = (verdict(each), opinion(each), at_least(each), found(each))
            yield f"{beginning(each)} {' | '.join(cells)} |"
        yield ""


def _brackets() -> Iterator[str]:
    _, not_leaking, slightly = (RECORDS / "brackets.txt").read_text(encoding="utf-8").split("\n\n")
    yield from (BRACKETS, f"{not_leaking}\n", SLIGHTLY, slightly)


def _mutation() -> Iterator[str]:
    record = (RECORDS / "mutation.txt").read_text(encoding="utf-8")
    (numbers,) = re.findall(r"^\| all \| (.*) \|$", record, re.MULTILINE)
    number, refused, refuted, undecided, proved, broken = numbers.split(" | ")
    yield MUTATION.format(
        judged=f"Of the {number} mutants that are judged, {refused} are refused, {refuted} refuted, {undecided} "
        f"undecided, {proved} proved and {broken} broken.",
    ).rstrip()
    for operator in OPERATORS:
        yield f"| {operator.name} | {operator.words} |"
    yield ""


if __name__ == "__main__":
    as_it_stands = "--records" in sys.argv[1:]
    print(page(verdict_on_page if as_it_stands else lambda each: told(check(each))), end="")
