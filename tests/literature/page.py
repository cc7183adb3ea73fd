"""The page docs/literature.md, printed from the rows and from what came out when they were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from literature.row import Row
from literature.trying import Outcome

NOT_TRIED = Outcome("not tried")


def page(rows: Sequence[Row], outcomes: Mapping[str, Outcome]) -> str:
    """The whole page."""
    return "\n".join(row.name for row in rows)
