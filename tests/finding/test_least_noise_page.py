"""docs/records/least_noise.txt lists every mechanism that the search for the least noise was tried on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from finding.noise import row, trials

RECORD = (Path(__file__).parents[2] / "docs" / "records" / "least_noise.txt").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `.*$", RECORD, re.MULTILINE)


def test_the_tables_have_a_row_for_every_trial():
    listed = [tuple(part.strip(" `") for part in line.strip("|").split("|")[:3]) for line in ROWS]
    expected = [(t.mechanism.name, t.adjacency, t.claim) for table in trials() for t in table]
    assert listed == expected, "make them again: see noise.py"


@pytest.mark.slow
@pytest.mark.parametrize("trial", [t for table in trials() for t in table], ids=str)
def test_the_tables_say_what_is_found(trial):
    assert row(trial) in ROWS
