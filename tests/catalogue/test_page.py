"""The page of the catalogue has every entry as it is declared."""

from __future__ import annotations

from pathlib import Path

import pytest

from alignkit.catalogue import find_alignments
from tests.catalogue.page import opinion, row

PAGE = (Path(__file__).parents[2] / "docs" / "catalogue.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("alignment", find_alignments([]), ids=lambda a: f"{a.mechanism.name}-{a.name}")
def test_every_entry_stands_on_the_page(alignment):
    sections = [part.split("\n**")[0] for part in PAGE.split(f"**{alignment.mechanism.name}**:")[1:]]
    (line,) = [line for part in sections for line in part.splitlines() if line.startswith(row(alignment))]
    verdict, second = line.removeprefix(row(alignment)).strip(" |").rsplit(" | ", 1)
    assert verdict.startswith(alignment.expect)
    assert second == opinion(alignment)
