"""What the commands share: what a command is, its parser, and readers of the values of flags."""

from __future__ import annotations

import argparse
import difflib
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from alignkit.errors import InputError

FORMATS = ("text", "json")


@dataclass(frozen=True)
class Command:
    """One command. ``add_flags`` adds its flags to a parser, and ``execute`` returns the exit code.

    A command that ``parses_itself`` is given the unparsed ``arguments`` instead of its flags: the flags of ``run``
    depend on the mechanism, which only a worker process may import.
    """

    summary: str
    description: str
    add_flags: Callable[[argparse.ArgumentParser], None]
    execute: Callable[[argparse.Namespace], int]
    parses_itself: bool = False


class Parser(argparse.ArgumentParser):
    """An argument parser that raises InputError for bad usage, and leaves examples as they are laid out."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`")


class CommandParser(Parser):
    """The parser of one command, which raises InputError for arguments that it does not know."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, unknown = super().parse_known_args(args, namespace)
        if unknown:
            for action in self._get_positional_actions():
                if action.nargs in (None, "?") and not unknown[0].startswith("-"):
                    what = f"{self.prog} takes one {action.metavar} at a time"
                    raise InputError(f"{what}, and {unknown[0]} is one too many; see `{self.prog} --help`")
            flag = unknown[0].partition("=")[0]
            known = self._option_string_actions
            # A claim is `epsilon` where an alignment states it.
            claims = flag == "--epsilon" and "--claim" in known
            close = ["--claim"] if claims else difflib.get_close_matches(flag, known, n=1)
            hint = f"did you mean {close[0]}? " if close and flag.startswith("-") else ""
            raise InputError(f"unrecognized argument: {unknown[0]}; {hint}see `{self.prog} --help`")
        return options, unknown


def time_limit(text: str) -> float:
    """Read a time limit: a number of seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0, not {text!r}")
    return number


class Offered(tuple[str, ...]):
    """Names that a shell offers for an argument, whose type refuses what is no name."""

    __slots__ = ()

    def __contains__(self, value: object) -> bool:
        return True


def adjacency_name(text: str) -> str:
    """Read the name of an adjacency, such as each or few(2)."""
    from alignkit.running.adjacency import Adjacency

    try:
        return str(Adjacency.read(text))
    except InputError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


# How long the import of one file may take, in seconds.
IMPORT_SECONDS = 60.0


def add_import_timeout(parser: argparse.ArgumentParser) -> None:
    """Add the flag of all commands that import users' files."""
    parser.add_argument(
        "--import-timeout", type=time_limit, default=IMPORT_SECONDS, metavar="SECONDS",
        help=f"seconds for the import of each file (default {IMPORT_SECONDS:g})",
    )  # fmt: skip


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the flag of the commands that use several processes."""
    words = "number of processes (default: one per core)"
    parser.add_argument("-j", "--jobs", type=lambda text: whole_number(text, 1), metavar="N", help=words)


def cores() -> int:
    """Count the processes that can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


def whole_number(text: str, least: int = 0) -> int:
    """Read a whole number, at least ``least``: 0 for a seed."""
    try:
        number = int(text)
    except ValueError:
        number = least - 1
    if number < least:
        raise argparse.ArgumentTypeError(f"must be a whole number, at least {least}, not {text!r}")
    return number
