"""The table of the literature: every row tried, and the page docs/literature.md.

    python tests/literature/table.py [NAMES]           tries these rows, or all, and prints them with the counts
    python tests/literature/table.py --write [NAMES]   records what came out in outcomes.json too, and writes the page
    python tests/literature/table.py --further …       the same for the further mechanisms, rows_further.py
    python tests/literature/table.py --fresh …         the same for the fresh mechanisms, rows_fresh.py
    python tests/literature/table.py --unseen …        the same for the unseen mechanisms, rows_unseen.py
    python tests/literature/table.py --untried …       the same for the untried mechanisms, rows_untried.py
    python tests/literature/table.py --page            prints the page from what is recorded

What came out of these four at their first trials stands in first_trial_further.json, first_trial_fresh.json,
first_trial_unseen.json and first_trial_untried.json, which nothing writes again.
"""

from __future__ import annotations

import collections
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from literature.page import FRESH_HEAD, FURTHER_HEAD, UNSEEN_HEAD, UNTRIED_HEAD, WrittenBlind, page
from literature.row import Row
from literature.rows import ROWS
from literature.rows_fresh import FRESH
from literature.rows_further import FURTHER
from literature.rows_unseen import UNSEEN
from literature.rows_untried import UNTRIED
from literature.trying import Outcome, attempt

PAGE = Path(__file__).parents[2] / "docs" / "literature.md"
RECORD = Path(__file__).with_name("outcomes.json")
# The rows of each folder of programs that were written down before any of them was tried.
BLIND = {"further": FURTHER, "fresh": FRESH, "unseen": UNSEEN, "untried": UNTRIED}
_HEADS = {"further": FURTHER_HEAD, "fresh": FRESH_HEAD, "unseen": UNSEEN_HEAD, "untried": UNTRIED_HEAD}


def record_of(folder: str) -> Path:
    """Where the present outcomes of the programs in a folder stand."""
    return Path(__file__).with_name(f"outcomes_{folder}.json")


def first_trial_of(folder: str) -> Path:
    """Where the outcomes at the first trial stand."""
    return Path(__file__).with_name(f"first_trial_{folder}.json")


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
        WrittenBlind(_HEADS[folder], rows, recorded(record_of(folder)), recorded(first_trial_of(folder)))
        for folder, rows in BLIND.items()
    )
    return page(ROWS, recorded(), tuple(blind))


def main(arguments: list[str]) -> None:
    """Try the rows that are named, or all of them."""
    if "--page" in arguments:
        print(whole_page(), end="")
        return
    folder = next((folder for folder in BLIND if f"--{folder}" in arguments), None)
    rows, file = (ROWS, RECORD) if folder is None else (BLIND[folder], record_of(folder))
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
