"""Item counts from transaction files and `item,count` tables.

The public universe of items, and counts put on it.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from alignkit.arguments import items, iterated, path, shown
from alignkit.arguments import items as listed
from alignkit.data.files import malformed, read_lines, shorten
from alignkit.errors import DataError, InputError

_RANGE = re.compile(r"\s*([0-9]{1,18})\s*(?:-|\.\.)\s*([0-9]{1,18})\s*")
_LARGEST_RANGE = 10_000_000


def parse_items(text: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return the universe that `text` names: a range of integers, `0-999` or `1..1000`, or else a file.

    Both ends of a range belong to it. A file is read by `read_items`; where its name looks like a range, write its
    folder too: `./0-999`.

    Raises
    ------
    InputError
        A range that runs backwards, or names more than ten million items.
    DataError
        Neither a range nor a file that can be read.

    >>> parse_items("8..10")
    ('8', '9', '10')
    """
    text = path(text, "items", "a range or a path, such as '0-999'")
    matched = _RANGE.fullmatch(text)
    if matched is None:
        try:
            return read_items(text)
        except DataError as error:
            if os.path.lexists(text):
                raise
            raise DataError(f"{error} (a range of items is written 0-999 or 1..1000)") from None
    first, last = int(matched[1]), int(matched[2])
    if last < first:
        raise InputError(f"the range of items {text} runs backwards; write {last}-{first}")
    if last - first >= _LARGEST_RANGE:
        raise InputError(f"the range of items {text} names more than {_LARGEST_RANGE:,} items")
    return tuple(map(str, range(first, last + 1)))


def read_items(path: str | os.PathLike[str]) -> tuple[str, ...]:
    r"""Return the items of a file with one item a line, in file order; blank lines are skipped.

    Raises
    ------
    DataError
        The file cannot be read or is empty, an item occurs twice, or a line holds a comma.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "items.txt")
    ...     _ = path.write_text("tea\ngreen tea\n")
    ...     read_items(path)
    ('tea', 'green tea')
    """
    line_of: dict[str, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        item = line.strip()
        if "," in item:
            raise malformed(path, number, line, "expected one item per line, without commas")
        if item in line_of:
            raise malformed(path, number, line, f"the item already occurs in line {line_of[item]}")
        if item:
            line_of[item] = number
    return tuple(line_of)


def align(counts: ItemCounts, items: Iterable[str]) -> ItemCounts:
    """Put `counts` on the public universe `items`, in its order.

    An item that the data lacks gets 0; an item of the data outside the universe is left out. `dropped` says
    how many were left out: it depends on the private data, so it is for the owner of the data alone.

    Raises
    ------
    InputError
        The universe is empty, or names an item twice.

    >>> from alignkit.data.counts import count_transactions
    >>> counts = count_transactions([frozenset({"1", "2"}), frozenset({"2", "7"})])
    >>> aligned = align(counts, parse_items("0-2"))
    >>> aligned.items, aligned.counts, aligned.dropped
    (('0', '1', '2'), (0, 1, 2), 1)
    """
    if not isinstance(counts, ItemCounts):
        raise InputError(f"align takes counts first, such as those of read_counts, not {shown(counts)}")
    universe = listed(items, "items", "a list of strings, such as parse_items('0-999')")
    for item in universe:
        if not isinstance(item, str):
            raise InputError(f"items must be strings, as in data files, such as '1'; one of them is {shown(item)}")
    if not universe:
        raise InputError("the universe of items is empty; name at least one item")
    members = set(universe)
    if len(members) < len(universe):
        [(twice, _)] = Counter(universe).most_common(1)
        raise InputError(f"the universe names the item {shorten(twice)} more than once")
    count_of = dict(zip(counts.items, counts.counts, strict=True))
    return replace(
        counts,
        items=universe,
        counts=tuple(count_of.get(item, 0) for item in universe),
        dropped=counts.dropped + sum(item not in members for item in counts.items),
    )


_INTEGER = re.compile(r"-?[0-9]{1,18}")
_COUNT = re.compile(r"[0-9]{1,18}")
_HEADER = ["item", "count"]
_ROW = "expected item,count with a count that is a whole number, 0 or more"
_SEMICOLONS = re.compile(r"[^;,\s]+(\s*;\s*[^;,\s]+)+;?")
_COMMA = "separate item and count with a comma (milk,3), or the items of a transaction with spaces"
_TRANSACTION = "expected a transaction: items separated by spaces, without commas"


@dataclass(frozen=True)
class ItemCounts:
    """How many transactions hold each item.

    Attributes
    ----------
    items
        The items, each once.
    counts
        The count of each item, in the order of `items`; a counting query each, with sensitivity 1.
    transactions
        The number of transactions, or None where the data does not say (an `item,count` table).
    source
        Where the counts come from, for messages and reports.
    dropped
        How many items of the data `align` left out because they are not in the public universe.

    >>> ItemCounts(("milk", "tea"), (3, 1), None, "shop.csv").counts
    (3, 1)
    """

    items: tuple[str, ...]
    counts: tuple[int, ...]
    transactions: int | None
    source: str
    dropped: int = 0

    @property
    def format(self) -> Literal["transactions", "item,count"]:
        """The format of the data."""
        return "item,count" if self.transactions is None else "transactions"


def read_counts(path: str | os.PathLike[str]) -> ItemCounts:
    r"""Count the items of a data file, plain or gzip; the first line that is not blank tells the format.

    With a comma it is an `item,count` table: two fields a line, counts that are whole numbers, each item
    once, fields in double quotes if need be, and a header `item,count` or none. Without one it is a
    transaction file as in the FIMI repository: a line a transaction, items separated by white space; an
    item that occurs twice in a transaction counts once. Blank lines are skipped in both.

    Items are sorted: as numbers if all are integers, else as text. Which items occur depends on the private
    data; `align` puts the counts on a public universe of items.

    Raises
    ------
    DataError
        The file cannot be read, is empty or binary, or is malformed; the message names the line.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "baskets.dat")
    ...     _ = path.write_text("10 9 9\n10 11\n")
    ...     counts = read_counts(path)
    >>> counts.items, counts.counts, counts.transactions
    (('9', '10', '11'), (1, 2, 1), 2)
    """
    lines = read_lines(path)
    if _is_table(lines, path):
        return _sorted_counts(_read_table(lines, path), None, str(path))
    return count_transactions(_read_transactions(lines, path), source=str(path))


def read_transactions(path: str | os.PathLike[str]) -> list[frozenset[str]]:
    r"""Return the transactions of a FIMI file in file order, for neighbours that differ in one record.

    Raises
    ------
    DataError
        As `read_counts`; also for an `item,count` table, which holds no records.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "baskets.dat")
    ...     _ = path.write_text("1 2 2\n3\n")
    ...     records = read_transactions(path)
    >>> [sorted(record) for record in records]
    [['1', '2'], ['3']]
    """
    lines = read_lines(path)
    if _is_table(lines, path):
        raise DataError(f"{path} is an item,count table, without transactions; give a transaction file")
    return list(_read_transactions(lines, path))


def count_transactions(transactions: Iterable[frozenset[str]], *, source: str = "transactions") -> ItemCounts:
    """Count the items of transactions already read, such as a table with one record dropped.

    >>> records = [frozenset({"1", "2"}), frozenset({"2"})]
    >>> count_transactions(records).counts
    (1, 2)
    >>> count_transactions(records[1:]).counts
    (1,)
    """
    count_of: Counter[str] = Counter()
    number = 0
    for transaction in iterated(transactions, "transactions", "a list of sets of items"):
        if not isinstance(transaction, set | frozenset):
            raise InputError(f"a transaction must be a set of items, such as {{'1', '2'}}, not {shown(transaction)}")
        count_of.update(transaction)
        number += 1
    for item in count_of:
        if not isinstance(item, str):
            raise InputError(f"items must be strings, as in data files, such as '1'; one of them is {shown(item)}")
    return _sorted_counts(count_of, number, source)


def read_records(table: object) -> tuple[frozenset[str], ...]:
    """Read a real table that is given in Python as sets of items.

    Raises InputError where a record is not a set, or an item is not text.
    """
    what = 'a list of records that are sets of items, such as [{"1", "2"}, {"2"}]'
    records = items(table, "the table", what)
    for record in records:
        if not isinstance(record, set | frozenset) or not all(isinstance(item, str) for item in record):
            raise InputError(f"the table must be {what}, but it has the record {shown(record)}")
    return tuple(map(frozenset, records))


def _is_table(lines: list[str], path: str | os.PathLike[str]) -> bool:
    number, first = next((number, line) for number, line in enumerate(lines, 1) if line.strip())
    # A table with another separator would pass for transactions of two items.
    if re.split(r"[;\s]+", first.lower().replace('"', "").strip()) == _HEADER:
        raise malformed(path, number, first, "separate item and count with a comma")
    if _SEMICOLONS.fullmatch(first.strip()):
        raise malformed(path, number, first, _COMMA)
    return "," in first


def _read_transactions(lines: list[str], path: str | os.PathLike[str]) -> Iterator[frozenset[str]]:
    """Yield rather than list: a hundred thousand sets alive at once keep the garbage collector busy."""
    for number, line in enumerate(lines, 1):
        if "," in line:
            raise malformed(path, number, line, _TRANSACTION)
        transaction = frozenset(line.split())
        if transaction:
            yield transaction


def _read_table(lines: list[str], path: str | os.PathLike[str]) -> dict[str, int]:
    count_of: dict[str, int] = {}
    line_of: dict[str, int] = {}
    header_allowed = True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = _fields(line, number, path)
        is_header = header_allowed and [name.lower() for name in fields] == _HEADER
        header_allowed = False
        if is_header:
            continue
        item, count = _row(fields, number, line, path)
        if item in count_of:
            raise malformed(path, number, line, f"this item already has a count, in line {line_of[item]}")
        count_of[item] = count
        line_of[item] = number
    if not count_of:
        raise DataError(f"{path} has a header but no items; expected lines of item,count")
    return count_of


def _fields(line: str, number: int, path: str | os.PathLike[str]) -> list[str]:
    if '"' not in line:
        return [field.strip() for field in line.split(",")]
    try:
        return [field.strip() for field in next(csv.reader([line], strict=True, skipinitialspace=True))]
    except csv.Error:
        raise malformed(path, number, line, f"{_ROW}; the quotes do not match") from None


def _row(fields: list[str], number: int, line: str, path: str | os.PathLike[str]) -> tuple[str, int]:
    if len(fields) != 2:
        hint = "; in a transaction file, separate items with spaces" if len(fields) > 2 else ""
        raise malformed(path, number, line, f"{_ROW}, found {len(fields) - 1} commas{hint}")
    item, count = fields
    if not item:
        raise malformed(path, number, line, f"{_ROW}; the item is missing")
    if "," in item:
        raise malformed(path, number, line, "an item may not hold a comma; rename it")
    if not _COUNT.fullmatch(count):
        raise malformed(path, number, line, f"{_ROW}, found {shorten(count)} for the count")
    return item, int(count)


def _sorted_counts(count_of: dict[str, int], transactions: int | None, source: str) -> ItemCounts:
    in_order = sorted(count_of)
    if all(_INTEGER.fullmatch(item) for item in in_order):
        in_order.sort(key=int)
    return ItemCounts(tuple(in_order), tuple(count_of[item] for item in in_order), transactions, source)
