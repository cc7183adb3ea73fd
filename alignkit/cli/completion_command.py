"""``alignkit completion``: a script by which a shell completes commands, flags and the catalogue's names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from alignkit.cli.options import Command

_SUMMARY = "print a shell's completion script"

_DESCRIPTION = """\
Print a script with which SHELL completes the commands of alignkit, their flags,
and the names of the catalogue. The script starts no program when it completes;
print it again after an update of alignkit.

bash: put it into ~/.local/share/bash-completion/completions/alignkit, or write
      source <(alignkit completion bash)  into ~/.bashrc
zsh:  put it as _alignkit into a folder of your fpath
fish: put it into ~/.config/fish/completions/alignkit.fish
"""

_SHELLS = ("bash", "zsh", "fish")


def _add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags of the command."""
    parser.add_argument("shell", metavar="SHELL", choices=_SHELLS, help="bash, zsh or fish")


def _execute(options: argparse.Namespace) -> int:
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


COMMAND = Command(_SUMMARY, _DESCRIPTION, _add_flags, _execute)
