"""The table of the literature: every row tried, and the page docs/literature.md.

    python tests/literature/table.py [NAMES]           tries these rows, or all, and prints them with the counts
    python tests/literature/table.py --write [NAMES]   records what came out in outcomes.json too, and writes the page
    python tests/literature/table.py --further …       the same for the further mechanisms, rows_further.py
    python tests/literature/table.py --fresh …         the same for the fresh mechanisms, rows_fresh.py
    python tests/literature/table.py --page            prints the page from what is recorded

What came out of the further and the fresh mechanisms at their first trial stands in first_trial.json and
first_trial_fresh.json, which nothing writes again.
"""

from __future__ import annotations

import collections
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from literature.page import FRESH_HEAD, FURTHER_HEAD, WrittenBlind, page
from literature.row import Row
from literature.rows import ROWS
from literature.rows_fresh import FRESH
from literature.rows_further import FURTHER
from literature.trying import Outcome, attempt

PAGE = Path(__file__).parents[2] / "docs" / "literature.md"
RECORD = Path(__file__).with_name("outcomes.json")
FURTHER_RECORD = Path(__file__).with_name("outcomes_further.json")
FIRST_TRIAL = Path(__file__).with_name("first_trial.json")
FRESH_RECORD = Path(__file__).with_name("outcomes_fresh.json")
FIRST_TRIAL_OF_FRESH = Path(__file__).with_name("first_trial_fresh.json")


def recorded(file: Path = RECORD) -> dict[str, Outcome]:
    """What came out when the rows were last recorded in a file, by the rows' names."""
    if not file.exists():
        return {}
    return {name: Outcome(**fields) for name, fields in json.loads(file.read_text(encoding="utf-8")).items()}


def record(rows: Sequence[Row], outcomes: Mapping[str, Outcome], file: Path) -> None:
    """Write outcomes in the order of the rows, each without its empty fields."""
    full = {
        row.name: {field: value for field, value in vars(outcomes[row.name]).items() if value}
        for row in rows
        if row.name in outcomes
    }
    file.write_text(json.dumps(full, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def whole_page() -> str:
    """The page docs/literature.md, from everything that is recorded."""
    blind = (
        WrittenBlind(FURTHER_HEAD, FURTHER, recorded(FURTHER_RECORD), recorded(FIRST_TRIAL)),
        WrittenBlind(FRESH_HEAD, FRESH, recorded(FRESH_RECORD), recorded(FIRST_TRIAL_OF_FRESH)),
    )
    return page(ROWS, recorded(), blind)


def main(arguments: list[str]) -> None:
    """Try the rows that are named, or all of them."""
    if "--page" in arguments:
        print(whole_page(), end="")
        return
    rows, file = (FURTHER, FURTHER_RECORD) if "--further" in arguments else (ROWS, RECORD)
    rows, file = (FRESH, FRESH_RECORD) if "--fresh" in arguments else (rows, file)
    outcomes = recorded(file)
    names = [argument for argument in arguments if not argument.startswith("--")]
    unknown = set(names) - {row.name for row in rows}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}")
    counts: collections.Counter[str] = collections.Counter()
    for row in rows:
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
                record(rows, outcomes, file)
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
    if "--write" in arguments:
        PAGE.write_text(whole_page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
