"""A command of the command line: what `--help` says of it, its flags, and what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """One command. ``add_flags`` adds its flags to a parser, and ``execute`` returns the exit code.

    ``execute_unparsed``, where there is one, is called with the arguments themselves instead: the flags of ``run``
    depend on the mechanism, so that they cannot be parsed before it is known.
    """

    summary: str
    description: str
    add_flags: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]
    execute_unparsed: Callable[[list[str]], int] | None = None
