"""Writes baskets.dat, the transactions of an imaginary shop, in the FIMI format: a line a transaction.

The 20 items that the shop sells are 0 to 19, and that is public. Item i is in a basket with probability
0.6 * 0.85 ** (7 * i % 20), whatever else is in the basket. No person's data is in the file.

    python docs/data/make_baskets.py
"""

from __future__ import annotations

import random
from pathlib import Path

TRANSACTIONS, ITEMS = 1000, 20


def baskets() -> str:
    """The text of the file, the same each time."""
    generator = random.Random(2020)
    lines = []
    while len(lines) < TRANSACTIONS:
        basket = [str(item) for item in range(ITEMS) if generator.random() < 0.6 * 0.85 ** (7 * item % ITEMS)]
        if basket:
            lines.append(" ".join(basket))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("baskets.dat").write_text(baskets(), encoding="ascii", newline="\n")
