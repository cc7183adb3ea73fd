"""Data: transaction files, `item,count` tables, and the public universe of items.

Files are the user's, so that every error names the file and the line, and says what was expected there. This room
imports nothing but ``errors`` and ``arguments``. Start reading in ``counts``.
"""

from __future__ import annotations

from alignkit.data.counts import (
    ItemCounts,
    align,
    count_transactions,
    parse_items,
    read_counts,
    read_items,
    read_transactions,
)

__all__ = [
    "ItemCounts",
    "align",
    "count_transactions",
    "parse_items",
    "read_counts",
    "read_items",
    "read_transactions",
]
