"""The page docs/literature.md, printed from the rows and from what came out when they were tried."""

from __future__ import annotations

import collections
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from literature.peer_suites import suites
from literature.row import CANNOT, NOT_STATED, Row
from literature.trying import NO_VIOLATION, Outcome

FOUND_CLAIMS = Path(__file__).with_name("found.json")

_HEAD = """\
# Mechanisms of the literature

Mechanisms of papers and textbooks, written as their authors state them, each with an alignment where one is expected to
exist. `python tests/literature/table.py` tries them again, `--write` writes this page.

* *Claim* is the budget that is tried, with the adjacency in brackets.
* *Expected* was written down before the row was tried. Where it was wrong, *expected at first* keeps it.
* *Verdict* is that of `check` with its alignment, for every number of answers and every value of the public parameters
  unless the column *scope* says otherwise. "Not private" is that of `attack`: a certified loss above the claim; "no
  violation" says that the attack found no such loss, which proves nothing. "Not stated" means that the language or the
  claim refuses the program.
* *Seconds* are of CPU time, on one core.
* *Supplied* names what was given beside the shifts: an invariant, or a program that differs from the published one.
"""

FURTHER_HEAD = """\
## Further mechanisms, written down before the first trial

These programs, with their alignments, claims and expected verdicts, were committed before the first of them was tried.
They were written from memory of the papers, as a reader of [the language](language.md) would write them at first, and
none was changed after its trial. Some two thirds were chosen because they need what was known to be missing, so that
the share that is proved says nothing of the literature as a whole. *At the first trial* is the verdict then, and
*verdict* the present one.
`python tests/literature/table.py --further` tries them again, `--further --write` writes this section.
"""

FRESH_HEAD = """\
## Fresh mechanisms, written down without a trial

These programs were written down in the same way, and committed before the first of them was tried, after what the
further mechanisms had shown to be missing was added. Whoever wrote them had read the pages for users, and neither the
limitations nor the theory, and chose the mechanisms without regard to what can be proved: the first trial says how many
programs are decided as they are first written.
`python tests/literature/table.py --fresh` tries them again, `--fresh --write` writes this section.
"""

UNSEEN_HEAD = """\
## Unseen mechanisms, a further set without a trial

A third set, written in the same way. Whoever wrote it had seen none of the programs above, but the names and some of
the claims. It was committed before any of it was tried, and tried after part of what the fresh mechanisms had shown to
be missing was added.
`python tests/literature/table.py --unseen` tries them again, `--unseen --write` writes this section.
"""

UNTRIED_HEAD = """\
## Untried mechanisms, a fourth set

A fourth set, by another reader, who had read the pages for users once and none of the programs above. It was committed
before any of it was tried, and tried after part of what the unseen mechanisms, and programs written for practice, had
shown to be missing was added.
`python tests/literature/table.py --untried` tries them again, `--untried --write` writes this section.
"""


@dataclass(frozen=True)
class WrittenBlind:
    """Rows that were written down before any of them was tried, with what came out then and now."""

    head: str
    rows: Sequence[Row]
    outcomes: Mapping[str, Outcome]
    first_trial: Mapping[str, Outcome]


def page(rows: Sequence[Row], outcomes: Mapping[str, Outcome], blind: Sequence[WrittenBlind]) -> str:
    """The whole page."""
    tried = _tried(rows, outcomes)
    parts = [_HEAD, _counts(tried)]
    for family in dict.fromkeys(row.family for row in rows):
        heading = f"## {family.replace('_', ' ').capitalize()}\n"
        parts.append(_table(heading, [pair for pair in tried if pair[0].family == family]))
    parts.extend((_surprises(tried), _open(tried), _found(tried), suites(outcomes)))
    parts += map(_written_blind, blind)
    return "\n".join(parts)


def _tried(rows: Sequence[Row], outcomes: Mapping[str, Outcome]) -> list[tuple[Row, Outcome]]:
    return [(row, outcomes.get(row.name, Outcome("not tried"))) for row in rows]


def _written_blind(blind: WrittenBlind) -> str:
    """The programs that were written down before any of them was tried, with both their verdicts."""
    tried, first_trial = _tried(blind.rows, blind.outcomes), blind.first_trial
    first = [(row, first_trial[row.name]) for row, _ in tried]
    parts = [
        blind.head,
        f"At the first trial, of {len(first)} rows: {_listed(first)}. {_expected(first)} came out as expected.\n",
        f"Now: {_listed(tried)}. {_expected(tried)} come out as expected.\n",
        _table("", tried, first_trial).lstrip("\n"),
        "### Other than expected, and why\n",
        "| mechanism | at the first trial | now |",
        "|---|---|---|",
        *_reasons_of_both(tried, first_trial),
        "",
        "### Notes on these rows\n",
        *_notes(tried),
        "",
    ]
    return "\n".join(parts)


def _reasons_of_both(
    tried: Sequence[tuple[Row, Outcome]], first_trial: Mapping[str, Outcome]
) -> Iterator[str]:
    for row, outcome in tried:
        first = first_trial[row.name]
        if not (as_expected(row, first) and as_expected(row, outcome)):
            then, now = (_said(row, each) for each in (first, outcome))
            yield f"| `{row.name}` | {then} | {'the same' if now == then else now} |"


def _said(row: Row, outcome: Outcome) -> str:
    """A verdict, with the reason where it is not the expected one."""
    if as_expected(row, outcome) or not outcome.note:
        return outcome.verdict
    return f"{outcome.verdict}: `` {_without_excerpt(outcome.note)} ``"


def found_claims() -> dict[str, str]:
    """The claims that `find` proved from the mechanism alone, by the names of the rows; empty where it proved none."""
    return json.loads(FOUND_CLAIMS.read_text(encoding="utf-8")) if FOUND_CLAIMS.exists() else {}


def _found(tried: Sequence[tuple[Row, Outcome]]) -> str:
    """Which proved rows `find` proves from the mechanism alone."""
    claims = found_claims()
    proved = [row for row, outcome in tried if outcome.verdict == "proved"]
    missed = [f"`{row.name}`" for row in proved if not claims.get(row.name)]
    heading, command = "## Found from the mechanism alone", "`python tests/literature/found.py --write`"
    given = "`alignkit find` is given the mechanism and the adjacency of each proved row, and nothing else"
    proves = f"Of {len(proved)} rows it proves a claim for {len(proved) - len(missed)} ({command})"
    return f"{heading}\n\n{given}. {proves}. It does not find {', '.join(missed)}.\n"


def as_expected(row: Row, outcome: Outcome) -> bool:
    """Whether a row came out as its present expectation says."""
    return outcome.verdict == (NOT_STATED if row.expected == CANNOT else row.expected)


def _counts(tried: Sequence[tuple[Row, Outcome]]) -> str:
    return f"Of {len(tried)} rows: {_listed(tried)}. {_expected(tried)} came out as expected.\n"


def _listed(tried: Sequence[tuple[Row, Outcome]]) -> str:
    by_verdict = collections.Counter(outcome.verdict for _, outcome in tried)
    return ", ".join(f"{number} {verdict}" for verdict, number in by_verdict.most_common())


def _expected(tried: Sequence[tuple[Row, Outcome]]) -> int:
    return sum(as_expected(row, outcome) for row, outcome in tried)


def _table(
    heading: str, tried: Sequence[tuple[Row, Outcome]], first_trial: Mapping[str, Outcome] | None = None
) -> str:
    """A table of rows; ``first_trial`` gives a column with the verdicts then."""
    columns = ["mechanism", "source", "claim", "expected", "expected at first"]
    columns += [*(["at the first trial"] if first_trial else []), "verdict", "scope", "seconds", "supplied"]
    lines = [heading, f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    for row, outcome in tried:
        then = (first_trial[row.name].verdict,) if first_trial else ()
        lines.append(_line(row, outcome, then))
    return "\n".join([*lines, ""])


def _line(row: Row, outcome: Outcome, then: tuple[str, ...] = ()) -> str:
    supplied = "; ".join(filter(None, (outcome.supplied, row.rewrite)))
    cells = (
        f"`{row.name}`",
        row.source,
        f"`{row.claim}` ({row.adjacency})",
        row.expected,
        row.at_first,
        *then,
        outcome.verdict,
        outcome.scope,
        f"{outcome.seconds:.1f}",
        supplied,
    )
    return f"| {' | '.join(cells)} |"


def _surprises(tried: Sequence[tuple[Row, Outcome]]) -> str:
    lines = ["## Other than expected", "", "| mechanism | expected | verdict |", "|---|---|---|"]
    lines += [
        f"| `{row.name}` | {row.at_first or row.expected} | {outcome.verdict} |"
        for row, outcome in tried
        if row.at_first or not as_expected(row, outcome)
    ]
    return "\n".join([*lines, ""])


def _open(tried: Sequence[tuple[Row, Outcome]]) -> str:
    lines = ["## What cannot be stated or is undecided, and why", "", "| mechanism | why |", "|---|---|"]
    return "\n".join([*lines, *_reasons(tried), "", "## Notes on rows", "", *_notes(tried), ""])


def _reasons(tried: Sequence[tuple[Row, Outcome]]) -> Iterator[str]:
    for row, outcome in tried:
        if outcome.verdict in {NOT_STATED, "undecided", "error", NO_VIOLATION}:
            message = row.why if outcome.note == row.why else f"`` {_without_excerpt(outcome.note)} ``"
            yield f"| `{row.name}` | {outcome.verdict}: {message} |"


def _without_excerpt(message: str) -> str:
    """A message without the line of source that it shows, which would end the cell of a table."""
    return re.sub(r" \d+ \| .*?(\^+…?|…|$)", ";", message).replace("|", "/").rstrip("; ")


def _notes(tried: Sequence[tuple[Row, Outcome]]) -> Iterator[str]:
    for row, outcome in tried:
        losses = outcome.note if outcome.verdict == "not private" else ""
        held = f"proved all the same: {outcome.proved_anyway}" if outcome.proved_anyway else ""
        why = "" if row.expected == CANNOT else row.why
        said = "; ".join(filter(None, (why, losses, outcome.mismatch, held)))
        if said:
            yield f"* `{row.name}`: {said}."
