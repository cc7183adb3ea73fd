"""Fingerprints of programs: equal where what runs is the same program."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from alignkit.language.kinds import Callee
from alignkit.language.program import Function, Name, Node, Place
from alignkit.noise import Distribution

Names = Mapping[str, str]
"""Names that stand for others in a fingerprint."""

Renaming = Callable[[Function], Names]
"""What the names of a function's variables are in a fingerprint."""


_OF_A_FUNCTION = tuple(field.name for field in fields(Function))


def _as_written(function: Function) -> Names:
    return {}


def digest(program: Function, *declared: Mapping[str, Any]) -> str:
    """SHA-256 of a program, of the functions it calls, and of what is declared beside it.

    Places do not count: a program that moves within its file stays the same.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
    >>> sparse_vector.digest == digest(sparse_vector.program, sparse_vector.parameters, sparse_vector.defaults)
    True
    >>> sparse_vector.digest == sparse_vector_with_gap.digest
    False
    """
    return digest_of_parts([*parts(program), *declared_parts(*declared)])


def digest_of_parts(listed: Iterable[str]) -> str:
    """SHA-256 of a list of texts, no matter what they hold."""
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in listed).encode()).hexdigest()


def declared_parts(*declared: Mapping[str, Any]) -> list[str]:
    """List what is declared beside a program, as texts."""
    return [f"{name}={value!r}" for values in declared for name, value in values.items()]


def parts(value: Any, renaming: Renaming = _as_written, names: Names | None = None) -> Iterator[str]:
    """Yield what a part of a program consists of, as texts, without the places.

    The variables of a function have the names that ``renaming`` gives them, and outside of functions those of
    ``names``.
    """
    names = names or {}
    if isinstance(value, Distribution):
        yield f"noise.{value.name}"
    elif isinstance(value, Callee):
        yield f"mechanism {value.program.name}"
        yield from declared_parts(value.parameters)
    elif isinstance(value, Node | Function):
        inside = renaming(value) if isinstance(value, Function) else names
        yield f"{type(value).__name__}("
        held_names = value.field_names if isinstance(value, Node) else _OF_A_FUNCTION
        for name in held_names:
            # What the names that are read from outside stand for is in the program itself.
            if name in ("place", "globals_read", "code", "python"):
                continue
            yield f"{name}="
            held = getattr(value, name)
            binds = name == "target" or (isinstance(value, Name) and name == "name")
            yield from parts(_renamed(held, inside) if binds else held, renaming, inside)
        yield ")"
    elif isinstance(value, tuple):
        yield "["
        for item in value:
            yield from parts(item, renaming, names)
        yield "]"
    else:
        assert not isinstance(value, Place)
        yield f"{type(value).__name__} {value!r}"


def _renamed(target: Any, names: Names) -> Any:
    if isinstance(target, tuple):
        return tuple(_renamed(part, names) for part in target)
    return names.get(target, target)
