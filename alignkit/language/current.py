"""Whether a program is still what its function does: neither its code nor a value that it uses has been replaced."""

from __future__ import annotations

from typing import Any

from alignkit.language.kinds import Callee
from alignkit.language.program import Call, Function, walk
from alignkit.language.reader import lookup


def ensure_current(python: Any, program: Function) -> None:
    """Raise LanguageError where the function's code, or the value of a name that it uses, has been replaced.

    A program is read once, when it is defined; Python looks names up at every call, and tools that reload modules put
    new code into old functions.
    """
    if program.code is not None and getattr(python, "__code__", None) is not program.code:
        raise program.place.error(
            f"the code of {program.name} has been replaced since it was read", "import it again in a new process"
        )
    for name, value in program.globals_read:
        if lookup(python, name) is not value:
            raise program.place.error(
                f"`{name}` has been replaced since {program.name} was read",
                "define what a mechanism uses above it, once; then import it again in a new process",
            )
        if isinstance(value, Callee):
            value.ensure_current()
    nodes = (node for statement in program.body for node in walk(statement))
    for called in {node.function: None for node in nodes if isinstance(node, Call)}:
        ensure_current(called.python, called)
