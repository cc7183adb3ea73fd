"""The public universe of items, and counts put on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alignkit.data import ItemCounts, align, parse_items, read_counts
from alignkit.errors import DataError, InputError


@pytest.mark.parametrize("text", ["0-3", "0..3", " 0 - 3 ", "0 ..3"])
def test_both_ends_of_a_range_belong_to_it(text: str) -> None:
    assert parse_items(text) == ("0", "1", "2", "3")


def test_a_file_is_read_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "items.txt"
    path.write_text("tea\n\n whole milk \n7\n")
    assert parse_items(path) == parse_items(str(path)) == ("tea", "whole milk", "7")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9-0", "runs backwards; write 0-9"),
        ("0-10000000", "names more than 10,000,000 items"),
    ],
)
def test_a_range_that_is_none(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_items(text)


@pytest.mark.parametrize("text", ["0-", "a-z", "", "-1-5", "1...4"])
def test_neither_range_nor_file(text: str) -> None:
    with pytest.raises(DataError, match=re.escape("(a range of items is written 0-999 or 1..1000)")):
        parse_items(text)


def test_a_file_that_exists_but_is_bad_says_nothing_of_ranges(tmp_path: Path) -> None:
    path = tmp_path / "items.txt"
    path.write_text("1\n1\n")
    with pytest.raises(DataError) as caught:
        parse_items(str(path))
    assert "range" not in str(caught.value)


def test_absent_items_get_zero_and_foreign_items_are_counted_as_dropped(tmp_path: Path) -> None:
    path = tmp_path / "baskets.dat"
    path.write_text("1 2\n2 7 8\n")
    aligned = align(read_counts(path), parse_items("0-2"))
    assert aligned == ItemCounts(("0", "1", "2"), (0, 1, 2), 2, str(path), dropped=2)


def test_the_universe_names_each_item_once() -> None:
    counts = ItemCounts(("1",), (5,), None, "here")
    with pytest.raises(InputError, match="names the item '2' more than once"):
        align(counts, ["1", "2", "2"])
    with pytest.raises(InputError, match="universe of items is empty"):
        align(counts, [])


names = st.integers(0, 30).map(str)


@given(found=st.dictionaries(names, st.integers(0, 100)), universe=st.lists(names, min_size=1, unique=True))
def test_alignment_keeps_every_count_of_the_universe(found: dict[str, int], universe: list[str]) -> None:
    counts = ItemCounts(tuple(found), tuple(found.values()), None, "here")
    aligned = align(counts, universe)
    assert aligned.items == tuple(universe)
    assert aligned.counts == tuple(found.get(item, 0) for item in universe)
    assert aligned.dropped == len(found.keys() - set(universe))
    assert align(aligned, universe) == aligned
