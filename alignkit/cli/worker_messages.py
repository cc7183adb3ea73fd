"""Messages between the process of the command line and its workers; all of them are pickled.

Reading an answer imports nothing but alignkit, numpy and the standard library: a value in it may name a user's module,
which the supervising process must not import.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class WorkerCall:
    """A call that a worker is to make: ``function(serving, *arguments)``, the function by its name.

    ``skipped`` says of files that an earlier worker could not import what went wrong.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    skipped: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Importing:
    """The worker imports a file from here on; None where the import is over."""

    file: str | None


@dataclass(frozen=True)
class Started:
    """Work with a time limit begins; ``otherwise`` is taken for the answer when the limit has passed."""

    seconds: float
    otherwise: Any


@dataclass(frozen=True)
class Progressed:
    """Progress of the work, in words."""

    text: str


@dataclass(frozen=True)
class Done:
    """The value that the call returned."""

    value: Any


@dataclass(frozen=True)
class Raised:
    """The error that the call raised, as a message and an exit code."""

    message: str
    exit_code: int


Message = Importing | Started | Progressed | Done | Raised

# The packages whose classes an answer may hold.
_TRUSTED = {"alignkit", "builtins", "collections", "datetime", "decimal", "fractions", "numpy", "pathlib"}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if module.partition(".")[0] not in _TRUSTED:
            raise pickle.UnpicklingError(f"an answer holds a {name} of the module {module}")
        return super().find_class(module, name)


def read_message(data: bytes) -> Message:
    """Read a message from bytes; raise UnpicklingError where it holds a class from outside alignkit."""
    message = _Reader(io.BytesIO(data)).load()
    if not isinstance(message, Message):
        raise pickle.UnpicklingError(f"a {type(message).__name__} is no message")
    return message
