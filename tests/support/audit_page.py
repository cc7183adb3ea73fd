"""docs/paper_audit.md as data: the rows of its tables, its findings, and what their commands must print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "paper_audit.md"
COLUMNS = ["where", "what is claimed", "how it was checked", "outcome", "reproduce with"]
FINDINGS = ["what", "as printed", "counterexample", "in the published version", "found first by", "prints it"]
COMMAND = re.compile(r"`((?:pytest|alignkit|python) [^`]*)`")
PYTEST = re.compile(r"pytest (?P<file>tests/[\w/]+\.py)(?:::(?P<name>\w+))?(?: -k (?P<word>\w+))?")
CHECK = re.compile(r"alignkit check (?P<name>\w+)")
BOLD = re.compile(r"\*\*([^*]+)\*\*")


def tables(columns: list[str]) -> list[list[str]]:
    """The rows of all tables of the page that have these columns."""
    found, inside = [], False
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if cells == columns:
            inside = True
        elif not cells:
            inside = False
        elif inside and not set(cells[0]) <= set("-|"):
            found.append(cells)
    return found


def rows() -> list[list[str]]:
    return tables(COLUMNS)


def findings() -> list[list[str]]:
    return tables(FINDINGS)


@dataclass
class Expected:
    """What one command must print, from all rows that name it.

    ``counts`` are sets of verdicts, of each of which at least one must be there; ``texts`` are pieces of the output.
    """

    counts: list[set[str]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)


def expectations() -> dict[str, Expected]:
    """Every command of the page once, in the order of the page."""
    found: dict[str, Expected] = {}
    for cells in findings():
        for command in COMMAND.findall(cells[-1]):
            found.setdefault(command, Expected()).texts.update(BOLD.findall(cells[2]))
    for cells in rows():
        commands = COMMAND.findall(cells[-1])
        checks = [command for command in commands if command.startswith("alignkit")]
        for command in commands:
            expected = found.setdefault(command, Expected())
            if command in checks:
                expected.counts += _verdicts(cells, alone=len(checks) == 1)
                if "proved, all n" in cells[2] and len(checks) == 1:
                    expected.texts.add("all n")
    return found


def _verdicts(cells: list[str], *, alone: bool) -> Iterator[set[str]]:
    """The verdicts that a row speaks of; where it names several commands, each has at least one of them."""
    said = set(re.findall(r"\b(proved|refuted)\b", cells[2]))
    if cells[3].startswith("does not hold"):
        said |= {"refuted"}
    said = said or {"proved"}
    yield from [{each} for each in sorted(said)] if alone else [said]


def problem(command: str, expected: Expected, code: int, printed: str) -> str:
    """What is wrong with what a command printed, in a few words; empty if nothing is."""
    if code:
        return f"exit code {code}"
    if command.startswith("pytest"):
        passed = re.search(r"\b(\d+) passed\b", printed)
        if not passed or re.search(r"\b\d+ (?:failed|errors?|skipped|xfailed)\b", printed):
            return "not every test passed"
    for verdicts in expected.counts:
        met = any(re.search(rf"\b[1-9]\d* {each}\b", printed) for each in verdicts)
        if not met or "all as expected" not in printed:
            return f"nothing is {' or '.join(sorted(verdicts))}"
    # A number stands alone: 2.0 is not printed by 12.0.
    missing = [each for each in expected.texts if not re.search(rf"(?<![\w.]){re.escape(each)}(?![\w.]*\w)", printed)]
    return f"does not print {', '.join(sorted(missing))}" if missing else ""
