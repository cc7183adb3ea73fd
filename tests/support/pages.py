"""Parts of pages, by the headings that they stand under."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def section(page: str, heading: str) -> str:
    """The text under a heading of a page (``"## Types"``), up to the next heading that is not below it."""
    text = (DOCS / page).read_text(encoding="utf-8")
    level = heading.index(" ")
    _, found, rest = text.partition(f"\n{heading}\n")
    assert found, f"{page} has no heading {heading}"
    # A comment of a program looks like a heading, so that fenced blocks are skipped.
    fenced = False
    lines = []
    for line in rest.splitlines(keepends=True):
        fenced ^= line.startswith("```")
        if not fenced and re.match(rf"#{{1,{level}}} ", line):
            break
        lines.append(line)
    return "".join(lines)


def before(page: str, heading: str) -> str:
    """The text of a page up to a heading."""
    text, found, _ = (DOCS / page).read_text(encoding="utf-8").partition(f"\n{heading}\n")
    assert found, f"{page} has no heading {heading}"
    return text
