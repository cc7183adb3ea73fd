"""What `alignkit check --format json` says of every entry of the catalogue, without what chance or the machine decides.

`python tests/catalogue/golden.py` compares the catalogue with `verdicts.json` and prints every difference;
`python tests/catalogue/golden.py --write` writes the file again, after a change that was meant. A lower bound that has
not fallen by more than the tolerance stays as it was written, so that only what has changed shows in the file; with
`--write --lower` it is written again too.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from alignkit.cli import main

GOLDEN = Path(__file__).with_name("verdicts.json")
# Lower bounds come from a random search: they may differ by this share.
TOLERANCE = 0.02
# What depends on the random search or on the machine, or is there only if it is asked for.
_VARIABLE = ("seconds", "queries", "suggestion", "cached", "opinion")
# Values whose numbers depend on the random search; of these the names of the fields are compared.
_EXAMPLES = ("counterexample", "attained_at", "leak")


def results() -> list[dict[str, Any]]:
    """The results of the whole catalogue, as the command line prints them."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["check", "--no-cache", "--format", "json"])
    return [summary(result) for result in json.loads(printed.getvalue())["results"]]


def summary(result: dict[str, Any]) -> dict[str, Any]:
    """A result without what may vary from one version to the next."""
    kept = {name: value for name, value in result.items() if name not in _VARIABLE}
    if not kept["calls"]:
        del kept["calls"]  # most mechanisms call no other
    for part in (kept, *kept.get("calls", ())):
        if part["delta"] is None:
            del part["delta"]  # most claims are pure
    kept["file"] = "/".join(Path(result["file"]).parts[-2:])  # whatever folder it is named from
    for where in (kept, kept["privacy"]):
        for name in _EXAMPLES:
            if where.get(name) is not None:
                where[name] = sorted(where[name])
    kept["privacy"]["event"] = kept["privacy"]["event"] is not None
    if result["verdict"] != "proved":
        kept["conditions"] = {name: condition["status"] for name, condition in kept["conditions"].items()}
        kept["notes"] = len(kept["notes"])
    return kept


def differences(expected: Any, actual: Any, where: str = "") -> Iterator[str]:
    """Each difference between two summaries, with where it is."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for name in sorted(expected.keys() | actual.keys()):
            if name not in expected or name not in actual:
                yield f"{where}.{name} is {'new' if name not in expected else 'gone'}"
            else:
                yield from differences(expected[name], actual[name], f"{where}.{name}")
    elif where.endswith(".lower") and expected is not None and actual is not None:
        if expected != actual and float(actual) < float(expected) * (1 - TOLERANCE):
            yield f"{where}: {actual}, more than {TOLERANCE:.0%} below {expected}"
    elif expected != actual:
        yield f"{where}: {actual!r} instead of {expected!r}"


def compare(expected: list[dict[str, Any]], actual: list[dict[str, Any]]) -> list[str]:
    """Every difference between two lists of summaries, entry by entry."""
    old, new = ({f"{r['file']}::{r['alignment']}": r for r in each} for each in (expected, actual))
    return list(differences(old, new))


def keep_lower_bounds(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    """Let lower bounds that differ by no more than the luck of the search stay as they were written."""
    written = {f"{r['file']}::{r['alignment']}": r["privacy"]["lower"] for r in old}
    for result in new:
        before = written.get(f"{result['file']}::{result['alignment']}")
        if before is not None and not any(differences(before, result["privacy"]["lower"], ".lower")):
            result["privacy"]["lower"] = before


if __name__ == "__main__":
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))
    if "--write" in sys.argv:
        found = results()
        if "--lower" not in sys.argv:
            keep_lower_bounds(recorded, found)
        GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    else:
        lines = compare(recorded, results())
        print("\n".join(lines) or "no difference")
        sys.exit(bool(lines))
