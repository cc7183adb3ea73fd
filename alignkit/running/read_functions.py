"""A user's function as it was read from its source: what mechanisms and alignments have in common."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol, Self

from alignkit.language.program import Function
from alignkit.running.digests import digest


class AsRead(Protocol):
    """A user's function as it was when it was read, which is compiled where it is first run."""

    def compiled(self, *, at_once: bool = False) -> Callable[..., Any]:
        """The function to run; ``exact_functions`` says how."""


@dataclass(frozen=True, eq=False)
class ReadFunction:
    """What a decorator makes of a user's function, whose name, docstring and module it takes over.

    ``python`` is the function, ``as_read`` what it was when it was read, and ``program`` what the evaluator runs.
    """

    python: Callable[..., Any] = field(repr=False)
    program: Function = field(repr=False)
    as_read: AsRead = field(repr=False)

    def __post_init__(self) -> None:
        for name in functools.WRAPPER_ASSIGNMENTS:
            if hasattr(self.python, name):
                object.__setattr__(self, name, getattr(self.python, name))
        object.__setattr__(self, "__wrapped__", self.python)

    @functools.cached_property
    def exact(self) -> Callable[..., Any]:
        """The function with exact arithmetic, compiled where it is first run."""
        return self.as_read.compiled()

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def file(self) -> str:
        return self.program.place.source.file

    @property
    def line(self) -> int:
        return self.program.place.line

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of what runs: the program and what it calls."""
        return digest(self.program)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def __reduce__(self) -> tuple[Callable[[str, str, str, str], Any], tuple[str, str, str, str]]:
        # Pickled by name, since functions cannot be pickled.
        module, name = self.python.__module__, self.python.__qualname__
        known = sys.modules.get(module)
        if "<locals>" in name or module == "__main__" or (known is not None and not self._is(_named(known, name))):
            raise pickle.PicklingError(
                f"{name} cannot be sent to another process; define it at the top of a file of its own, under a name "
                "that stands for nothing else, or run in this process"
            )
        return _find, (module, name, self.file, self.digest)

    def _is(self, other: Any) -> bool:
        return other is self or (type(other) is type(self) and other.digest == self.digest)


def _named(module: ModuleType, name: str) -> Any:
    """What a dotted name stands for in a module; None where it stands for nothing."""
    owner: Any = module
    for part in name.split("."):
        owner = getattr(owner, part, None)
    return owner


def _find(module: str, name: str, file: str, digest: str) -> Any:
    """What a name in a module stands for; the module is imported, or else read from its file."""
    found = _named(_module(module, file), name)
    if getattr(found, "digest", None) != digest:
        raise pickle.UnpicklingError(f"{file} has another {name} here than where it was sent from")
    return found


def _module(name: str, file: str) -> ModuleType:
    if name in sys.modules:
        return sys.modules[name]
    try:
        return importlib.import_module(name)
    except ImportError:
        spec = importlib.util.spec_from_file_location(name, file)
        if spec is None or spec.loader is None:
            raise
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module
