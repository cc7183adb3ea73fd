"""Whether a program still is what its function would do: what it reached by name has not been replaced."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from alignkit.language.program import Call, Function, walk
from alignkit.language.reader import lookup


def ensure_current(python: Any, program: Function) -> None:
    """Raise LanguageError where a name that the program reached stands for something else by now.

    A program is read once, when it is defined; Python looks names up at every call.
    """
    called = {node.function.name: node.function for s in program.body for node in walk(s) if isinstance(node, Call)}
    for name, value in program.globals_read:
        if lookup(python, name) is not value:
            raise program.place.error(
                f"`{name}` has been replaced since {program.name} was read",
                "define what a mechanism uses above it, once; then import it again in a new process",
            )
        if isinstance(value, FunctionType) and value.__name__ in called:
            ensure_current(value, called[value.__name__])
