"""The page of the catalogue has every entry as it is declared, and the figures of the records."""

from __future__ import annotations

import pytest

from alignkit.catalogue import find_alignments
from tests.catalogue.page import PATH, at_least, beginning, found, opinion, page, verdict_on_page

PAGE = PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("alignment", find_alignments([]), ids=lambda a: f"{a.mechanism.name}-{a.name}")
def test_every_entry_stands_on_the_page(alignment):
    (line,) = [line for line in PAGE.splitlines() if line.startswith(beginning(alignment))]
    verdict, *others = line.removeprefix(f"{beginning(alignment)} ").removesuffix(" |").split(" | ")
    assert verdict.startswith(alignment.expect)
    assert others == [opinion(alignment), at_least(alignment), found(alignment)]


def test_the_page_is_what_the_records_make_of_it():
    assert page(verdict_on_page) == PAGE, "make it again: python tests/catalogue/page.py --records"
