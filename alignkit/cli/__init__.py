"""The command line: ``alignkit check``, ``attack``, ``explain``, ``run``, ``list``, ``new`` and others.

Start reading in ``entry``, which goes from the arguments to a command. Each ``…_command`` file has one of them. What
imports users' files runs in worker processes (``worker_process`` on this side, ``worker_loop`` on theirs), so that a
file that hangs or crashes costs no more than itself. The room may import everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from alignkit.cli.streams import ended_at_once

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; messages go to stderr, reports to stdout."""
    with ended_at_once():
        from alignkit.cli.entry import run_command_line

    return run_command_line(arguments)
