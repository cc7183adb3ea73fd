"""Sources of noise that a function took hold of before it runs, where nothing can stand for them."""

from __future__ import annotations

import functools
import os
import random
import sys
import sysconfig
import types
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from alignkit.confirming.normal_forms import NotExaminedError

_GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
_STANDARD = tuple({os.path.realpath(sysconfig.get_paths()[key]) for key in ("stdlib", "platstdlib")})
_LIBRARIES = ("numpy", "scipy", "alignkit", "z3", "cvc5", "sympy", "mpmath", "pytest", "_pytest", "hypothesis", "numba")


def refuse_hidden(functions: Sequence[Any], originals: Mapping[int, Any], changes: Collection[tuple[int, str]]) -> None:
    """Refuse a source of noise that was taken hold of before the run, where nothing can stand for it.

    ``changes`` are the attributes, by the identity of their owner and by name, for which something stands.
    """
    waiting, met = [*functions], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        if _is_source(value, originals):
            kind = getattr(value, "__name__", type(value).__name__)
            raise NotExaminedError(f"`{kind}` as a default, an attribute or a variable of a function around it")
        waiting += _held(value, changes)
        if isinstance(value, types.FunctionType):
            known = (value.__globals__.get(name) for name in _names(value.__code__))
            waiting += [v for v in known if not _is_source(v, originals)]


def _held(value: Any, changes: Collection[tuple[int, str]]) -> list[Any]:
    """What a function, a method, a class or an object holds besides the globals of its module."""
    if isinstance(value, types.FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_filled(cell)]
        return [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values(), *cells]
    if isinstance(value, types.MethodType):
        return [value.__func__, value.__self__]
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    module = value.__module__ if isinstance(value, type) else type(value).__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or is_library(module, file) or isinstance(value, types.ModuleType):
        return []
    own = [part for name, part in getattr(value, "__dict__", {}).items() if (id(value), name) not in changes]
    return own if isinstance(value, type) else [*own, type(value)]


def _is_source(value: Any, originals: Mapping[int, Any]) -> bool:
    return isinstance(value, _GENERATORS) or (id(value) in originals and not isinstance(value, types.ModuleType))


def _names(code: types.CodeType) -> set[str]:
    inner = [_names(part) for part in code.co_consts if isinstance(part, types.CodeType)]
    return set(code.co_names).union(*inner)


def _is_filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def is_library(name: str, file: str) -> bool:
    """Whether a module, by its name and file, is Python's own or of a library whose code stays as it is."""
    if name.split(".")[0] in _LIBRARIES:
        return True
    path = os.path.realpath(file)
    return path.startswith(_STANDARD) and "site-packages" not in path and "dist-packages" not in path
