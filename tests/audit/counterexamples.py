"""Prints the numbers of errata of docs/paper_audit.md: `python tests/audit/counterexamples.py E23 E27`, or all."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.counterexamples import ERRATA, printed

if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in ERRATA]
    if unknown:
        sys.exit(f"no numbers are printed for {', '.join(unknown)}; there are {', '.join(ERRATA)}")
    for name in sys.argv[1:] or ERRATA:
        print(name, *printed(name), sep="\n  ")
