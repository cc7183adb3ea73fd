"""docs/records/found.txt lists every mechanism that the search was tried on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from finding.reach import entries, row

from alignkit.finding.shapes import SHAPES

DOCS = Path(__file__).parents[2] / "docs"
ROWS = re.findall(r"^\| `.*$", (DOCS / "records" / "found.txt").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_shapes_have_the_names_that_the_flag_takes():
    shapes = (DOCS / "finding.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `([a-z-]+)` \|", shapes, re.MULTILINE)) == SHAPES


def test_the_table_has_a_row_for_every_proved_entry():
    listed = [tuple(part.strip(" `") for part in line.strip("|").split("|")[:3]) for line in ROWS]
    assert listed == [(e.mechanism.name, str(e.adjacency), e.claim) for e in entries()], "make it again: see reach.py"


@pytest.mark.slow
@pytest.mark.parametrize("entry", list(entries()), ids=lambda e: f"{e.mechanism.name} {e.adjacency}")
def test_the_table_says_what_is_found(entry):
    assert row(entry) in ROWS
