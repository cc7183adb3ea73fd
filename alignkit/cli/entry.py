"""The way from the arguments to a command, and from whatever it raises to a message and an exit code.

Exit codes: 0 all as expected; 1 refuted or not private where a proof was expected, or the reverse, or a policy that is
broken, or a run that is worse than its baseline; 2 usage, unreadable input, a program outside the language, a report
that cannot be written; 3 undecided; 4 internal error; 130 interrupted; 141 the reader of the report has gone.

``alignkit completion`` stands here too: the script by which a shell completes is made of the parser of all commands.
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
    confirm_command,
    explain_command,
    find_command,
    implements_command,
    list_command,
    new_command,
    run_command,
)
from alignkit.cli.options import Command, CommandParser, Parser
from alignkit.cli.streams import discard, exit_code_of, never_fail_to_print, say, watched_stdout
from alignkit.errors import InputError, UnwrittenError, error_text

_COMPLETION = "print a shell's completion script"

_COMPLETION_DESCRIPTION = """\
Print a script with which SHELL completes the commands of alignkit, their flags,
and the names of the catalogue. The script starts no program when it completes;
print it again after an update of alignkit.

bash: put it into ~/.local/share/bash-completion/completions/alignkit, or write
      source <(alignkit completion bash)  into ~/.bashrc
zsh:  put it as _alignkit into a folder of your fpath
fish: put it into ~/.config/fish/completions/alignkit.fish
"""

_SHELLS = ("bash", "zsh", "fish")


def _add_shell(parser: argparse.ArgumentParser) -> None:
    """Add the flags of ``alignkit completion``."""
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help="bash, zsh or fish")


def _print_script(options: argparse.Namespace) -> int:
    """Print the script; the parser of all commands is ``options.parser``."""
    print(_script(options.parser, options.shell))
    return 0


def _script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Write the completion script of a parser with commands; this shortens the parser's descriptions."""
    import shtab

    from alignkit.catalogue import mechanisms, proof_modules

    names = [mechanism.name for mechanism in mechanisms()]
    modules = [name for name in proof_modules() if name not in names]
    targets = _names("targets", [*names, *modules])
    completions = {
        "data": shtab.FILE,
        "out": shtab.DIRECTORY,
        "items": shtab.FILE,
        "into": shtab.DIRECTORY,
        "targets": targets,
        "target": targets,
        "mechanism": _names("mechanisms", names),
        "claims": shtab.FILE,
    }
    for command, summary in _commands(parser):
        command.description = summary
        for action in command._actions:
            if action.dest in completions:
                action.complete = completions[action.dest]  # type: ignore[attr-defined]
    listed = {"targets": [*names, *modules], "mechanisms": names}
    functions = "\n".join(_function(shell, kind, words) for kind, words in listed.items())
    return str(shtab.complete(parser, shell, preamble=functions))


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[argparse.ArgumentParser, str]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            summaries = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                yield command, summaries[name]


def _names(kind: str, names: list[str]) -> dict[str, str]:
    """Return how each shell completes a name of the catalogue or a file."""
    function = f"_alignkit_{kind}"
    fish = f"(__fish_complete_path (commandline -ct)) {' '.join(names)}"
    return {"bash": function, "zsh": function, "fish": fish}


def _function(shell: str, kind: str, names: list[str]) -> str:
    words = " ".join(names)
    if shell == "bash":
        return f'_alignkit_{kind}() {{\n  compgen -W "{words}" -- "$1"\n  compgen -f -- "$1"\n}}'
    if shell == "zsh":
        return f"_alignkit_{kind}() {{\n  _alternative 'names:catalogue:({words})' 'files:file:_files'\n}}"
    return ""


COMMANDS = {
    "check": check_command.COMMAND,
    "confirm": confirm_command.COMMAND,
    "implements": implements_command.COMMAND,
    "attack": attack_command.COMMAND,
    "find": find_command.COMMAND,
    "explain": explain_command.COMMAND,
    "run": run_command.COMMAND,
    "list": list_command.COMMAND,
    "new": new_command.COMMAND,
    "completion": Command(_COMPLETION, _COMPLETION_DESCRIPTION, _add_shell, _print_script),
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
  alignkit implements mylib:report        which mechanism a function is
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
