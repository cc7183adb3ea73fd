"""docs/records/mutation.txt: written from the outcomes of all mutants, and read again by the tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mutation.arguments import BY_HAND, HAND, RULES
from mutation.mutants import Mutant
from mutation.outcomes import KINDS, PROVED, Outcome

PATH = Path(__file__).parents[2] / "docs" / "records" / "mutation.txt"

COLUMNS = ("mutants", *KINDS)
TITLE = "# The mutants of the catalogue\n"
UNEXPLAINED = "## Proved without an argument"


def page(outcomes: Sequence[Outcome]) -> str:
    """The record, from the outcomes of all mutants."""
    return "\n".join([TITLE, *_counts(outcomes), *_proved(outcomes)])


def _counts(outcomes: Sequence[Outcome]) -> Iterator[str]:
    yield "## Outcomes\n"
    yield f"| entry | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---:|' * len(COLUMNS)}"
    for name in dict.fromkeys(o.mutant.entry for o in outcomes):
        yield _row(name, [o for o in outcomes if o.mutant.entry == name])
    yield _row("all", outcomes)
    yield ""


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    kinds = Counter(o.kind for o in outcomes)
    numbers = [len(outcomes), *(kinds[kind] for kind in KINDS)]
    return f"| {name} | {' | '.join(map(str, numbers))} |"


def _proved(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The proved mutants under the arguments by which they are private; what has none is said first."""
    proved = [o for o in outcomes if o.kind == PROVED]
    unexplained = [o.mutant for o in proved if o.argument is None]
    if unexplained:
        yield from _section(UNEXPLAINED, "These speak against the checker.", unexplained)
    yield "## Proved, and why each is private\n"
    yield "Each rule is tested on the mutant, by many runs of the mutant and of its original on the same noise.\n"
    for rule in RULES:
        held = [o.mutant for o in proved if o.argument is not None and o.argument.rule == rule.name]
        if held:
            yield from _section(f"### {rule.name.capitalize()}", rule.words, held)
    for argument in BY_HAND:
        by_hand = [o.mutant for o in proved if o.argument is not None and o.argument.rule == HAND]
        held = [mutant for mutant in by_hand if argument.is_of(mutant)]
        if held:
            yield from _section(f"### {HAND.capitalize()}", argument.words, held)


def _section(heading: str, words: str, held: Sequence[Mutant]) -> Iterator[str]:
    yield f"{heading}\n\n{words}\n"
    yield from map(_line, held)
    yield ""


def _line(mutant: Mutant) -> str:
    return f"* {mutant.entry}, {mutant.operator}: {mutant.description}"


def extended(outcomes: Sequence[Outcome], order: Sequence[str]) -> str:
    """The record as it stands, with the outcomes of further entries; entries in this order."""
    new = page(outcomes)
    rows, rows_ = counts(), counts(new)
    every = {name: rows_.get(name) or rows[name] for name in order}
    every["all"] = {column: sum(row[column] for row in every.values()) for column in COLUMNS}
    table = [f"| {name} | {' | '.join(str(row[c]) for c in COLUMNS)} |" for name, row in every.items()]
    held: dict[tuple[str, str], list[str]] = {}
    judged_again = rows_.keys()
    for some, left_out in ((sections(), judged_again), (sections(new), ())):
        for section in some:
            lines = [(x, x[2:].partition(",")[0]) for x in section.lines]
            kept = [x for x, entry in lines if entry in order and entry not in left_out]
            held.setdefault((section.heading, section.words), []).extend(kept)
    first = new.index(f"| {next(iter(rows_))} |")
    proved = "## Proved, and why each is private"
    rules = new[new.index(proved) :].split("\n\n### ")[0]
    parts = []
    for words in [(r.name.capitalize(), r.words) for r in RULES] + [(HAND.capitalize(), a.words) for a in BY_HAND]:
        lines = sorted(held.get(words, []), key=lambda line: order.index(line[2:].partition(",")[0]))
        if lines:
            parts.append("\n".join([f"### {words[0]}\n\n{words[1]}\n", *lines, ""]))
    return "\n".join([new[:first] + "\n".join(table), "", rules.rstrip() + "\n", *parts])


# --- Reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Section:
    """A heading of the record, the words under it, and the proved mutants that it lists."""

    heading: str
    words: str
    lines: tuple[str, ...]


def sections(text: str | None = None) -> list[Section]:
    """The sections that list proved mutants, of the record as it stands or of another."""
    found = []
    for part in re.split(r"^(?=##)", PATH.read_text(encoding="utf-8") if text is None else text, flags=re.MULTILINE):
        heading, *rest = part.strip().splitlines()
        lines = tuple(x for x in rest if x.startswith("* "))
        words = " ".join(x for x in rest if x and not x.startswith("* "))
        if lines and heading.startswith("##"):
            found.append(Section(heading.lstrip("# "), words, lines))
    return found


def counts(text: str | None = None) -> dict[str, dict[str, int]]:
    """The rows of the table of outcomes, by entry."""
    row = re.compile(rf"^\| (\S+) ((?:\| \d+ ){{{len(COLUMNS)}}})\|$", re.MULTILINE)
    return {
        name: dict(zip(COLUMNS, map(int, re.findall(r"\d+", numbers)), strict=True))
        for name, numbers in row.findall(PATH.read_text(encoding="utf-8") if text is None else text)
    }


def listed(mutants: Sequence[Mutant]) -> Counter[str]:
    """Mutants as the record lists them; two may read alike."""
    return Counter(map(_line, mutants))


def proved(entry: str) -> Counter[str]:
    """The proved mutants of an entry, as the record lists them."""
    return Counter(line for section in sections() for line in section.lines if line.startswith(f"* {entry}, "))
