"""Whether a mechanism's name still stands for it: a notebook's cell that is run again may define another program."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from alignkit.running.mechanism_program import MechanismProgram


def is_named(mechanism: MechanismProgram) -> bool:
    """Whether the mechanism's module knows it by its name; one that a function made is known by no such name."""
    return _globals(mechanism).get(mechanism.name) is mechanism


def is_redefined(mechanism: MechanismProgram) -> bool:
    """Whether the mechanism's name now stands for another program, in its module or in that module imported anew.

    The same program read again is none, nor is a name that is deleted or used for something else.
    """
    return any(_is_another(names.get(mechanism.name), mechanism) for names in _namespaces(mechanism))


def _is_another(holder: Any, mechanism: MechanismProgram) -> bool:
    if isinstance(holder, MechanismProgram):
        return holder is not mechanism and holder.digest != mechanism.digest
    # A definition of this name whose decorator has gone.
    plain = isinstance(holder, FunctionType) and holder.__name__ == mechanism.name
    return plain and holder is not mechanism.python


def _namespaces(mechanism: MechanismProgram) -> Iterator[Mapping[str, Any]]:
    names = _globals(mechanism)
    yield names
    module = sys.modules.get(mechanism.python.__module__)
    file = names.get("__file__")
    if module is not None and file is not None and getattr(module, "__file__", None) == file:
        yield vars(module)


def _globals(mechanism: MechanismProgram) -> Mapping[str, Any]:
    return getattr(mechanism.python, "__globals__", {})
