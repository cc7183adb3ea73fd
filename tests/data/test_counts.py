"""Counting: what is read from well-formed files, plain and gzip."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alignkit.data import ItemCounts, count_transactions, read_counts, read_transactions


def write(folder: Path, text: str, name: str = "data") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_an_item_counts_once_in_a_transaction(tmp_path: Path) -> None:
    counts = read_counts(write(tmp_path, "1 2 2 2\n2 3\n"))
    assert dict(zip(counts.items, counts.counts)) == {"1": 1, "2": 2, "3": 1}
    assert (counts.transactions, counts.format) == (2, "transactions")


def test_integers_are_sorted_as_numbers_and_other_items_as_text(tmp_path: Path) -> None:
    assert read_counts(write(tmp_path, "10 9 -1\n")).items == ("-1", "9", "10")
    assert read_counts(write(tmp_path, "10 9 x\n")).items == ("10", "9", "x")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("header", ["", "item,count", "Item, COUNT", '"item","count"', "\ufeffitem,count"])
def test_table_with_and_without_header(tmp_path: Path, header: str, end: str) -> None:
    rows = [*([header] if header else []), "368, 28738", '"529",23384', "", "whole milk,0"]
    counts = read_counts(write(tmp_path, end.join(rows)))
    assert counts == ItemCounts(("368", "529", "whole milk"), (28738, 23384, 0), None, str(tmp_path / "data"))


@pytest.mark.parametrize("text", ["1 2\n3\n", "1 2\n3", "\n1\t2\r\n\r\n  3  \r\n\n", "\ufeff1 2\n3\n"])
def test_blank_lines_and_line_ends_do_not_matter(tmp_path: Path, text: str) -> None:
    assert read_transactions(write(tmp_path, text)) == [{"1", "2"}, {"3"}]


def test_gzip_is_known_by_content_and_not_by_name(tmp_path: Path) -> None:
    packed = tmp_path / "packed.dat"
    packed.write_bytes(gzip.compress(b"1 2\n") + gzip.compress(b"2\n"))
    plain = write(tmp_path, "1 2\n2\n", "plain.dat.gz")
    assert read_transactions(packed) == read_transactions(plain) == [{"1", "2"}, {"2"}]


def test_dropping_one_record_changes_each_count_by_at_most_one(tmp_path: Path) -> None:
    records = read_transactions(write(tmp_path, "1 2\n2 3\n2\n"))
    whole, without = count_transactions(records), count_transactions(records[1:])
    assert (whole.transactions, without.transactions) == (3, 2)
    before, after = dict(zip(whole.items, whole.counts)), Counter(dict(zip(without.items, without.counts)))
    assert {item: before[item] - after[item] for item in before} == {"1": 1, "2": 1, "3": 0}


# No first line may read `item count`, and no item may hold a semicolon: those are tables with the wrong separator.
tokens = st.text(
    st.characters(codec="utf-8", exclude_characters=',;"', exclude_categories=("C", "Z")), min_size=1
)
items = st.one_of(st.integers(-1000, 1000).map(str), tokens).filter(lambda item: item.lower() != "item")


@settings(deadline=None)  # a busy disk is no failure
@given(
    records=st.lists(st.frozensets(items, min_size=1, max_size=6), min_size=1, max_size=20),
    packed=st.booleans(),
)
def test_transactions_survive_a_round_trip(
    records: list[frozenset[str]], packed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("round") / "data"
    text = "\n".join(" ".join(record) for record in records).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    assert read_transactions(path) == records
    counts = read_counts(path)
    assert dict(zip(counts.items, counts.counts)) == Counter(item for record in records for item in record)
    assert counts.transactions == len(records)


@settings(deadline=None)  # a busy disk is no failure
@given(table=st.dictionaries(items, st.integers(0, 10**18 - 1), min_size=1), header=st.booleans())
def test_tables_survive_a_round_trip(
    table: dict[str, int], header: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("round") / "data"
    rows = [f"{item},{count}" for item, count in table.items()]
    path.write_bytes("\n".join(["item,count"] * header + rows).encode())
    counts = read_counts(path)
    assert dict(zip(counts.items, counts.counts)) == table
    assert counts.transactions is None
