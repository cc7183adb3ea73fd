"""The table of the literature, as docs/literature.md prints it.

    python tests/literature/table.py

prints the page; `--write` writes it.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from literature.row import Row
from literature.rows import ROWS

PAGE = Path(__file__).parents[2] / "docs" / "literature.md"


def line(row: Row) -> str:
    """One row of the table."""
    return f"| `{row.name}` | {row.source} | `{row.claim}` ({row.adjacency}) | {row.expected} |"


def page() -> str:
    """The whole page."""
    head = (
        "# Mechanisms of the literature\n\n"
        "Each row names a mechanism, where it comes from, the claim that is tried with its adjacency, and what is\n"
        "expected of it.\n\n"
        "| mechanism | source | claim | expected |\n|---|---|---|---|\n"
    )
    return head + "\n".join(map(line, ROWS)) + "\n"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    else:
        print(page(), end="")
