"""Mechanisms and alignments in other processes: sent by name, and found there again."""

from __future__ import annotations

import importlib
import importlib.util
import pickle
import sys
from collections.abc import Callable
from functools import reduce
from types import ModuleType
from typing import Any

Reference = tuple[Callable[[str, str, str], Any], tuple[str, str, str]]


def by_reference(python: Callable[..., Any], file: str) -> Reference:
    """How pickle sends what a decorator made of a function at the top of a module."""
    if "<locals>" in python.__qualname__ or python.__module__ == "__main__":
        raise pickle.PicklingError(
            f"{python.__qualname__} cannot be sent to another process; define it at the top of a file of its own, "
            "or run in this process"
        )
    return _find, (python.__module__, python.__qualname__, file)


def _find(module: str, name: str, file: str) -> Any:
    """What a name in a module stands for; the module is imported, or else read from its file."""
    return reduce(getattr, name.split("."), _module(module, file))


def _module(name: str, file: str) -> ModuleType:
    known = sys.modules.get(name)
    if known is not None:
        return known
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
