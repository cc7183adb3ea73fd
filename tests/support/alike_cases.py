"""Which of many alike cases of a test run in ``make test`` too: each second or third one, and the rest is slow.

A test that runs once for each row of a table tries one rule again and again. In the folders below, of the cases of each
such test every other one is marked slow; in a table of programs (near_misses.py), of the right rows of each base, and
of those that a check refutes, two of three. Wrong rows that the prover alone must not prove are kept, all of them:
each may be the one that breaks a rule. Tests of several ``parametrize``, of which some pairs would never meet, keep all
cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from support.near_misses import Program

# From how many cases on the cases of one test count as alike, by folder.
FOLDERS: Mapping[str, int] = {"soundness": 4, "finding": 4, "attacking": 8}


def mark_alike_cases_slow(items: Iterable[pytest.Item]) -> None:
    """Mark every other one of alike cases slow, and of rows of a table two of three."""
    alike: dict[tuple[Any, ...], list[pytest.Item]] = {}
    for item in items:
        case = getattr(item, "callspec", None)
        if case is None or item.path.parent.name not in FOLDERS or item.get_closest_marker("slow"):
            continue
        if len([*item.iter_markers("parametrize")]) > 1:
            continue
        row = case.params.get("program")
        if isinstance(row, Program) and not row.private and not row.refuted:
            continue
        own = (row.base, row.refuted) if isinstance(row, Program) else ()
        alike.setdefault((item.path, item.name.partition("[")[0], *own), []).append(item)
    for (path, _, *own), cases in alike.items():
        least = 2 if own else FOLDERS[path.parent.name]
        if len(cases) >= least:
            for number, item in enumerate(cases):
                if number % (3 if own else 2):
                    item.add_marker(pytest.mark.slow)
