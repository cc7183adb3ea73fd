"""Messages from a worker process to the process of the command line; all of them are pickled.

Reading a message imports nothing but alignkit, numpy and the standard library: a value in it may name a user's module,
which the supervising process must not import.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Importing:
    """The worker imports a file from here on; None where the import is over."""

    file: str | None


@dataclass(frozen=True)
class Started:
    """Work with a time limit begins; ``otherwise`` is taken for the answer when the limit has passed.

    Where it is ``kept``, it is the answer too if the process dies.
    """

    seconds: float
    otherwise: Any
    kept: bool = False


@dataclass(frozen=True)
class Progressed:
    """Progress of the work, in words."""

    text: str


@dataclass(frozen=True)
class Done:
    """The value that the call returned."""

    value: Any


@dataclass(frozen=True)
class Failed:
    """The error that the call raised: a message that is ready to be shown, and the exit code.

    The exception itself is not sent: libraries that a file imports may change how exceptions are pickled.
    """

    text: str
    exit_code: int


Message = Importing | Started | Progressed | Done | Failed

# The packages whose classes a message may hold.
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
