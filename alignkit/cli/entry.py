"""The way from the arguments to a command, and from whatever it raises to a message and an exit code.

Exit codes: 0 all as expected; 1 refuted or not private where a proof was expected, or the reverse, or a policy that is
broken, or a run that is worse than its baseline; 2 usage, unreadable input, a program outside the language, a report
that cannot be written; 3 undecided; 4 internal error; 130 interrupted; 141 the reader of the report has gone.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
import traceback
from collections.abc import Iterator, Sequence

from alignkit.cli import (
    attack_command,
    check_command,
    completion_command,
    confirm_command,
    explain_command,
    find_command,
    list_command,
    new_command,
    run_command,
)
from alignkit.cli.options import CommandParser, Parser
from alignkit.cli.streams import discard, exit_code_of, never_fail_to_print, say, watched_stdout
from alignkit.errors import InputError, UnwrittenError, error_text

COMMANDS = {
    "check": check_command.COMMAND,
    "confirm": confirm_command.COMMAND,
    "attack": attack_command.COMMAND,
    "find": find_command.COMMAND,
    "explain": explain_command.COMMAND,
    "run": run_command.COMMAND,
    "list": list_command.COMMAND,
    "new": new_command.COMMAND,
    "completion": completion_command.COMMAND,
}

_DESCRIPTION = """\
Prove or refute differential privacy by randomness alignment, and run what was
proved."""

_EPILOG = """\
examples:
  alignkit check                          the whole catalogue
  alignkit check proofs/                  every alignment in a folder
  alignkit check mine.py::phi             one alignment
  alignkit confirm noisy_max              what a second program says
  alignkit attack noisy_max               a lower bound on what it leaks
  alignkit find noisy_max                 an alignment, and the claim it proves
  alignkit explain noisy_max              the proofs, written for people
  alignkit run noisy_max --data baskets.dat --items 0-19 --eps 0.7
  alignkit list sparse                    the catalogue, or a part of it
  alignkit new my_mechanism               a mechanism and a proof to start from

`alignkit COMMAND --help` and docs/command_line.md say more.
"""


def run_command_line(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; messages go to stderr, reports to stdout.

    >>> run_command_line(["list", "--format", "yaml"])
    2
    """
    never_fail_to_print()
    try:
        with watched_stdout():
            return exit_code_of(lambda: _run(list(sys.argv[1:] if arguments is None else arguments)))
    except UnwrittenError as problem:
        discard(sys.stdout)
        say(f"the report cannot be written to stdout: {problem}")
        return 2
    except BrokenPipeError:
        discard(sys.stdout)
        return 141
    except KeyboardInterrupt:
        say("interrupted")
        return 130
    except Exception as problem:
        if os.environ.get("ALIGNKIT_DEBUG"):
            traceback.print_exc()
        say(error_text(problem))
        return 4


def _run(arguments: list[str]) -> int:
    parser = build_parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return 2
    name = arguments[0]
    if not name.startswith("-"):
        if name not in COMMANDS:
            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean `alignkit {close[0]}`?" if close else f"the commands are {', '.join(COMMANDS)}"
            raise InputError(f"there is no command {name!r}; {hint}")
        with _current_folder_importable():
            command = COMMANDS[name]
            if command.parses_itself:
                return command.execute(argparse.Namespace(arguments=arguments[1:]))
            return command.execute(parser.parse_args(arguments))
    parser.parse_args(arguments)
    raise InputError("name the command first: alignkit COMMAND …; see `alignkit --help`")


def build_parser() -> Parser:
    """Build the parser of all commands; `run` adds the flags of its mechanism."""
    from alignkit.version import __version__

    parser = Parser(prog="alignkit", description=_DESCRIPTION, epilog=_EPILOG)
    parser.add_argument("-V", "--version", action="version", version=f"alignkit {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=CommandParser)
    for name, command in COMMANDS.items():
        command_parser = commands.add_parser(name, help=command.summary, description=command.description)
        command_parser.set_defaults(parser=parser)
        command.add_flags(command_parser)
    return parser


@contextlib.contextmanager
def _current_folder_importable() -> Iterator[None]:
    """Let users' files import what lies in the current folder, as with `python -m`."""
    try:
        here = os.getcwd()
    except OSError:
        raise InputError("the current folder cannot be used; it may have been deleted: change to another") from None
    if here in sys.path or "" in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(here)
