"""The command line: ``alignkit check``, ``attack``, ``run``, ``list``, ``new`` and ``completion``."""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.cli.interrupts import ended_at_once

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; messages go to stderr, reports to stdout."""
    with ended_at_once():
        from alignkit.cli.entry import main as run

    return run(arguments)
