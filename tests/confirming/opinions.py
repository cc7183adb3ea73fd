"""The second opinion on every entry of the catalogue.

`python tests/confirming/opinions.py` compares what the second program says now with `opinions.json`, and prints every
difference; `--write` writes the file again, after a change that was meant. `docs/second_opinion.md` shows its figures.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from alignkit import confirm
from alignkit.catalogue import load
from alignkit.confirming import Standing

FILE = Path(__file__).with_name("opinions.json")
VERDICTS = Path(__file__).parents[1] / "catalogue" / "verdicts.json"


def verdicts() -> dict[str, str]:
    """The verdict on each entry, by its target."""
    entries = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return {f"{entry['file']}::{entry['alignment']}": entry["verdict"] for entry in entries}


def opinion_on(target: str) -> str:
    """The second opinion on one entry, with what keeps it from going further."""
    opinion = confirm(load(target))
    if opinion.standing is Standing.CONTRADICTED:
        return f"contradicted: {opinion.problem}"
    further = f"; {opinion.why}" if opinion.standing is Standing.BOUNDED and opinion.why else ""
    return f"{opinion}{further}"


def opinions() -> dict[str, str]:
    """The second opinion on every entry."""
    targets = list(verdicts())
    with ProcessPoolExecutor() as pool:
        return dict(zip(targets, pool.map(opinion_on, targets), strict=True))


def kept() -> dict[str, str]:
    """The opinions as the file has them."""
    return json.loads(FILE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def figures(found: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """How many entries of each verdict have which opinion, without its reasons."""
    verdict = verdicts()
    return Counter((verdict[target], opinion.split(";")[0].split(":")[0]) for target, opinion in found.items())


if __name__ == "__main__":
    now = opinions()
    for (verdict, opinion), number in sorted(figures(now).items()):
        print(f"{verdict:10} {number:4}  {opinion}")
    if "--write" in sys.argv:
        FILE.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
    else:
        before = kept()
        different = [target for target in sorted({*now, *before}) if now.get(target) != before.get(target)]
        for target in different:
            print(f"{target}: {now.get(target)}, and before: {before.get(target)}")
        sys.exit(1 if different else 0)
