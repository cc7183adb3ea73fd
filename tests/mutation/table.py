"""Judge every mutant of the catalogue and print docs/records/mutation.txt.

    python tests/mutation/table.py > docs/records/mutation.txt

It judges the mutants that the tests judge; with ``--every`` all there are, which takes an hour. With names of entries
it judges these, and prints the record with the rest as it stands (into another file than the record!). Progress goes to
stderr. The exit code is 1 where a mutant is proved without an argument, or breaks the checker.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation.entries import entries
from mutation.mutants import MOST, mutants
from mutation.operators import OPERATORS
from mutation.outcomes import Judges
from mutation.page import extended, page


def main() -> int:
    started = time.monotonic()
    most = None if "--every" in sys.argv[1:] else MOST
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    some = [entry for entry in entries() if not names or entry.name in names]
    every = [m for entry in some for m in mutants(entry, OPERATORS, most)]

    def progress(count: int) -> None:
        if count % 50 == 0 or count == len(every):
            print(f"{count} of {len(every)} mutants, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

    with Judges() as judges:
        outcomes = judges.judge(every, progress)
    print(extended(outcomes, [entry.name for entry in entries()]) if names else page(outcomes), end="")
    failed = [o for o in outcomes if o.fails]
    for each in failed:
        print(each, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
