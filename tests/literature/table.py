"""The table of the literature: every row tried, and the page docs/literature.md.

    python tests/literature/table.py [NAMES]           tries these rows, or all, and prints them with the counts
    python tests/literature/table.py --write [NAMES]   records what came out in outcomes.json too, and writes the page
    python tests/literature/table.py --page            prints the page from what is recorded
"""

from __future__ import annotations

import collections
import json
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from literature.page import page
from literature.rows import ROWS
from literature.trying import Outcome, attempt

PAGE = Path(__file__).parents[2] / "docs" / "literature.md"
RECORD = Path(__file__).with_name("outcomes.json")


def recorded() -> dict[str, Outcome]:
    """What came out when the rows were last recorded, by the rows' names."""
    if not RECORD.exists():
        return {}
    return {name: Outcome(**fields) for name, fields in json.loads(RECORD.read_text(encoding="utf-8")).items()}


def record(outcomes: Mapping[str, Outcome]) -> None:
    """Write outcomes in the order of the rows, each without its empty fields."""
    full = {
        row.name: {field: value for field, value in vars(outcomes[row.name]).items() if value}
        for row in ROWS
        if row.name in outcomes
    }
    RECORD.write_text(json.dumps(full, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Try the rows that are named, or all of them."""
    outcomes = recorded()
    if "--page" in arguments:
        print(page(ROWS, outcomes), end="")
        return
    names = [argument for argument in arguments if not argument.startswith("--")]
    unknown = set(names) - {row.name for row in ROWS}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}")
    counts: collections.Counter[str] = collections.Counter()
    for row in ROWS:
        if not names or row.name in names:
            outcome = outcomes[row.name] = attempt(row)
            counts[outcome.verdict] += 1
            extra = "; ".join(filter(None, (outcome.supplied, outcome.mismatch, outcome.note, outcome.proved_anyway)))
            print(
                f"{row.name}: {outcome.verdict} (expected: {row.expected}), {outcome.scope or '-'}, "
                f"{outcome.seconds} s{'; ' if extra else ''}{extra}",
                flush=True,
            )
            if "--write" in arguments:
                record(outcomes)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
    if "--write" in arguments:
        PAGE.write_text(page(ROWS, outcomes), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
