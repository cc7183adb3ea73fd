"""``alignkit list``: the mechanisms of the catalogue and their alignments."""

from __future__ import annotations

import argparse
import inspect
import json
from typing import Any

SUMMARY = "show the catalogue"

DESCRIPTION = """\
List the mechanisms of the catalogue: where each comes from, and its alignments with what they claim.

examples:
  alignkit list
  alignkit list --format json
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def execute(options: argparse.Namespace) -> int:
    """Print the catalogue."""
    entries = catalogue()
    if options.format == "json":
        from alignkit.version import __version__

        print(json.dumps({"alignkit": __version__, "mechanisms": entries}, indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(_text(entry) for entry in entries))
    return 0


def catalogue() -> list[dict[str, Any]]:
    """What the catalogue holds, a mechanism an entry."""
    from alignkit.catalogue import alignments, mechanisms
    from alignkit.reporting.words import file_shown

    proofs = alignments()
    entries = []
    for each in mechanisms():
        own = [a for a in proofs if a.mechanism is each]
        entries.append(
            {
                "mechanism": each.name,
                "source": (inspect.getdoc(each.python) or "").partition("\n")[0],
                "file": file_shown(each.file),
                "line": each.line,
                "private": {name: kind.describes for name, kind in each.private.items()},
                "public": {name: kind.describes for name, kind in each.public.items()},
                "alignments": [
                    {
                        "alignment": a.name,
                        "file": file_shown(a.file),
                        "line": a.line,
                        "claim": a.claim,
                        "adjacency": str(a.adjacency),
                        "expected": a.expect,
                    }
                    for a in own
                ],
            }
        )
    return entries


def _text(entry: dict[str, Any]) -> str:
    from alignkit.reporting.columns import columns

    parameters = ", ".join([*entry["private"], *entry["public"]])
    lines = [f"{entry['mechanism']}({parameters})", f"    {entry['source']}"]
    rows = [
        (a["alignment"], f"claim {a['claim']}", f"adjacency {a['adjacency']}", f"expected {a['expected']}",
         f"{a['file']}:{a['line']}")
        for a in entry["alignments"]
    ]  # fmt: skip
    return "\n".join(lines + (columns(rows, indent="    ") or ["    no alignment"]))
