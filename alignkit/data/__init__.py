"""Data: transaction files, `item,count` tables, the public universe of items, and generated transactions.

Files are the user's, so that every error names the file and the line, and says what was expected there. This room
imports nothing but ``errors`` and ``arguments``. Start reading in ``counts``; the generator of synthetic market
baskets is in ``market_baskets``.
"""

from __future__ import annotations

from alignkit.data.counts import ItemCounts, count_transactions, read_counts, read_transactions
from alignkit.data.market_baskets import quest_counts, quest_transactions, write_transactions
from alignkit.data.quest_patterns import QuestParameters
from alignkit.data.universe import align, parse_items, read_items

__all__ = [
    "ItemCounts",
    "QuestParameters",
    "align",
    "count_transactions",
    "parse_items",
    "quest_counts",
    "quest_transactions",
    "read_counts",
    "read_items",
    "read_transactions",
    "write_transactions",
]
