"""The public universe of items, and counts put on it."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from alignkit.arguments import items as listed
from alignkit.arguments import path, shown
from alignkit.data.counts import ItemCounts
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
