"""``alignkit list``: the mechanisms of the catalogue and their alignments."""

from __future__ import annotations

import argparse
import difflib
import inspect
import itertools
import json
import os
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from alignkit.cli.options import Command
from alignkit.cli.streams import output_width
from alignkit.errors import InputError
from alignkit.formatting import aligned_columns

_SUMMARY = "show the catalogue"

_DESCRIPTION = """\
List the mechanisms of the catalogue, one per line: the name, whether its
alignments are expected to be proved, refuted or both, what they claim and, if
the line has room, where the mechanism comes from.

A mechanism is listed if a WORD is part of its name, of an alignment's or of its
file's. If only one is listed, and with --verbose, the list also shows its
parameters, and the claim, the adjacency, the expected verdict and the place of
each alignment.

examples:
  alignkit list
  alignkit list sparse --refuted
  alignkit list noisy_max_with_gap_exponential
  alignkit list --format json
"""


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("words", nargs="*", metavar="WORD", help="list only mechanisms with a WORD in their names")
    parser.add_argument("--proved", action="store_true", help="only those with an alignment expected to be proved")
    parser.add_argument("--refuted", action="store_true", help="only those with an alignment expected to be refuted")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the parameters and all alignments")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text (the default) or json")


def _execute(options: argparse.Namespace) -> int:
    """Print the catalogue, or the part that was asked for; raise InputError where that is empty."""
    catalogue = _catalogue()
    verdicts = [verdict for verdict in ("proved", "refuted") if getattr(options, verdict)]
    entries = [entry for entry in catalogue if _named(entry, options.words) and _expected(entry) >= set(verdicts)]
    if not entries:
        raise InputError(_no_entries(options.words, verdicts, catalogue))
    if options.format == "json":
        from alignkit.version import __version__

        print(json.dumps({"alignkit": __version__, "mechanisms": entries}, indent=2, ensure_ascii=False))
    elif options.verbose or len(entries) == 1:
        print("\n\n".join(_text(entry) for entry in entries))
    else:
        print("\n".join(_lines(entries, output_width())))
    return 0


def _catalogue() -> list[dict[str, Any]]:
    """Describe the catalogue, one entry for each mechanism."""
    from alignkit.catalogue import alignments, mechanisms
    from alignkit.reporting.sentences import file_shown

    proofs = alignments()
    return [
        {
            "mechanism": mechanism.name,
            "source": (inspect.getdoc(mechanism.python) or "").partition("\n")[0],
            "file": file_shown(mechanism.file),
            "line": mechanism.line,
            "private": {name: kind.describes for name, kind in mechanism.private.items()},
            "public": {name: kind.describes for name, kind in mechanism.public.items()},
            "alignments": [
                {
                    "alignment": a.name,
                    "file": file_shown(a.file),
                    "line": a.line,
                    "claim": a.claim,
                    "delta": a.delta,
                    "adjacency": str(a.adjacency),
                    "expected": a.expect,
                }
                for a in proofs
                if a.mechanism is mechanism
            ],
        }
        for mechanism in mechanisms()
    ]


def _named(entry: dict[str, Any], words: Sequence[str]) -> bool:
    names = [entry["mechanism"], _module(entry), *(a["alignment"] for a in entry["alignments"])]
    return not words or any(word.lower() in name.lower() for word in words for name in names)


def _module(entry: dict[str, Any]) -> str:
    return os.path.basename(str(entry["file"])).removesuffix(".py")


def _expected(entry: dict[str, Any]) -> set[str]:
    return {a["expected"] for a in entry["alignments"]}


def _no_entries(words: Sequence[str], verdicts: Sequence[str], entries: Sequence[dict[str, Any]]) -> str:
    sought = f" named {' or '.join(words)}" if words else ""
    text = f"the catalogue has no mechanism{sought}"
    if verdicts:
        text += f" with an alignment that is expected to be {' and one to be '.join(verdicts)}"
    names = [entry["mechanism"] for entry in entries]
    close = [name for word in words for name in difflib.get_close_matches(word, names, n=1)]
    return f"{text}; did you mean {' or '.join(close)}?" if close else f"{text}; `alignkit list` shows all"


# A shorter beginning of a sentence says too little; longer claims are shown with all else of a mechanism.
_LEAST_SOURCE = 30
_LEAST_CLAIMS, _LONGEST_CLAIMS = 12, 24

_EXPECTATIONS = {(): "none", ("proved",): "proved", ("refuted",): "refuted", ("proved", "refuted"): "both"}


def _shown(expected: Iterable[str]) -> str:
    """Say in a word which verdicts are expected; "both" of a proof and a refutation, whatever else there is."""
    verdicts = set(expected)
    if len(verdicts) == 1:
        return verdicts.pop()
    return _EXPECTATIONS.get(tuple(sorted(verdicts - {"undecided"})), "none")


def _lines(entries: Sequence[dict[str, Any]], width: int) -> list[str]:
    """List a line for each mechanism under its file; the source is shown only where there is room."""
    rows = _columns(entries, _LONGEST_CLAIMS)
    over = max(map(len, rows)) - width
    if over > 0:
        rows = _columns(entries, max(_LEAST_CLAIMS, _LONGEST_CLAIMS - over))
    room = width - max(map(len, rows)) - 2
    if room >= _LEAST_SOURCE:
        sources = ["source", *(e["source"] for e in entries)]
        shortened = [textwrap.shorten(s, room, placeholder=" …", break_on_hyphens=False) for s in sources]
        rows = aligned_columns(list(zip(rows, shortened, strict=True)))
    lines = rows[:1]
    for module, group in itertools.groupby(zip(entries, rows[1:], strict=True), key=lambda pair: _module(pair[0])):
        lines += [f"mechanisms/{module}.py", *(row for _, row in group)]
    return lines


def _columns(entries: Sequence[dict[str, Any]], longest: int) -> list[str]:
    cells = [(e["mechanism"], _shown(_expected(e)), _claims(e, longest)) for e in entries]
    return aligned_columns([("mechanism", "expected", "claims"), *cells])


def _claims(entry: dict[str, Any], longest: int) -> str:
    """Join the claims of the alignments, each once, and cut them at a blank where they are longer."""
    claims = ", ".join(dict.fromkeys(_claim(a) for a in entry["alignments"]))
    return textwrap.shorten(claims, longest, placeholder=" …")


def _claim(alignment: dict[str, Any]) -> str:
    claim, delta = str(alignment["claim"]), alignment["delta"]
    return claim if delta is None else f"({claim}, {delta})"


def _text(entry: dict[str, Any]) -> str:
    parameters = ", ".join([*entry["private"], *entry["public"]])
    heading = f"{entry['mechanism']}({parameters})"
    lines = [heading, *textwrap.wrap(entry["source"], 80, initial_indent="    ", subsequent_indent="    ")]
    lines.append(f"    {entry['file']}:{entry['line']}")
    for a in entry["alignments"]:
        lines.append(f"    {a['alignment']}: expected {a['expected']}, adjacency {a['adjacency']}")
        lines += [f"        claim {_claim(a)}", f"        {a['file']}:{a['line']}"]
    return "\n".join(lines if entry["alignments"] else [*lines, "    no alignment"])


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
