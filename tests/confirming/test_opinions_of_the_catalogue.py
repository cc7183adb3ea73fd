"""The second opinion on the catalogue, as the page shows it and as the program gives it."""

from __future__ import annotations

from pathlib import Path

import pytest
from confirming.opinions import figures, kept, opinions, verdicts

PAGE = (Path(__file__).parents[2] / "docs" / "second_opinion.md").read_text(encoding="utf-8")


def test_the_page_shows_the_opinions_of_the_file():
    rows = [f"| {verdict} | {opinion} | {number} |" for (verdict, opinion), number in figures(kept()).items()]
    assert [row for row in rows if row not in PAGE] == []
    assert kept().keys() == verdicts().keys()


def test_no_proof_is_contradicted():
    found = {verdict for (verdict, opinion), _ in figures(kept()).items() if opinion == "contradicted"}
    assert found == {"refuted"}


@pytest.mark.slow
def test_the_opinions_are_those_of_the_file():
    assert opinions() == kept()
