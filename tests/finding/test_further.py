"""docs/finding_results.md says what is found for mechanisms that the shapes were not made for."""

from __future__ import annotations

import re

import pytest
from finding.further import line
from finding.further_alignments import BY_HAND, CHEAPER_THAN_A_TEXTBOOK
from finding.further_mechanisms import ROWS, band_test, first_above_exponential, noisy_ratio_test
from support.pages import section

from alignkit import check, find

PAGE = section("finding_results.md", "## Further mechanisms")
LINES = re.findall(r"^\| `.*$", PAGE.partition("\n### ")[0], re.MULTILINE)


def test_the_page_has_a_row_for_every_mechanism():
    listed = [tuple(part.strip(" `") for part in written.strip("|").split("|")[:3]) for written in LINES]
    assert listed == [(r.mechanism.name, r.adjacency, r.textbook) for r in ROWS], "make it again: see further.py"


def test_the_page_counts_what_was_found():
    found = [written for written in LINES if "not found" not in written]
    assert f"{len(found)} of the {len(LINES)} were found" in PAGE


def test_every_alignment_of_the_page_is_named_there():
    names = [alignment.name for alignment in (*BY_HAND, *CHEAPER_THAN_A_TEXTBOOK)]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


@pytest.mark.parametrize("mine", [noisy_ratio_test, band_test, first_above_exponential], ids=lambda m: m.name)
def test_a_textbooks_claim_is_found_from_the_mechanism_alone(mine):
    findings = find(mine)
    assert findings.proved is not None, findings.reason
    assert findings.proved.claim == "eps"


@pytest.mark.slow
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.mechanism.name} {row.adjacency}")
def test_the_page_says_what_is_found(row):
    assert line(row) in LINES


@pytest.mark.slow
@pytest.mark.parametrize("mine", BY_HAND, ids=lambda alignment: alignment.name)
def test_an_alignment_by_hand_is_proved_at_a_textbooks_claim(mine):
    (row,) = (r for r in ROWS if r.mechanism is mine.mechanism)
    assert (str(mine.adjacency), mine.claim) == (row.adjacency, row.textbook)
    assert check(mine, effort=0).proved


@pytest.mark.slow
@pytest.mark.parametrize("mine", CHEAPER_THAN_A_TEXTBOOK, ids=lambda alignment: alignment.name)
def test_some_claims_of_textbooks_can_be_lowered(mine):
    assert check(mine, effort=0).proved
