"""Real tables that are given in Python: records that are sets of items."""

from __future__ import annotations

from alignkit.arguments import items, shown
from alignkit.errors import InputError


def read_records(table: object) -> tuple[frozenset[str], ...]:
    """Read a real table as sets of items; InputError where a record is not a set, or an item is not text."""
    what = 'a list of records that are sets of items, such as [{"1", "2"}, {"2"}]'
    records = items(table, "the table", what)
    for record in records:
        if not isinstance(record, set | frozenset) or not all(isinstance(item, str) for item in record):
            raise InputError(f"the table must be {what}, but it has the record {shown(record)}")
    return tuple(map(frozenset, records))
