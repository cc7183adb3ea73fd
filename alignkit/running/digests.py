"""The fingerprint of a mechanism: equal where what runs is the same program."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from alignkit.language.program import Function, Node, Place
from alignkit.noise import Distribution


def digest(program: Function, *declared: Mapping[str, Any]) -> str:
    """SHA-256 of a program, of the functions it calls, and of what is declared beside it.

    Places do not count: a program that moves within its file stays the same.

    >>> from alignkit.mechanisms.sparse_vector import sparse_vector, sparse_vector_with_gap
    >>> sparse_vector.digest == digest(sparse_vector.program, sparse_vector.parameters, sparse_vector.defaults)
    True
    >>> sparse_vector.digest == sparse_vector_with_gap.digest
    False
    """
    parts = [*_parts(program), *(f"{name}={value!r}" for values in declared for name, value in values.items())]
    return hashlib.sha256("".join(f"{len(part)}:{part}" for part in parts).encode()).hexdigest()


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, Distribution):
        yield f"noise.{value.name}"
    elif isinstance(value, Node | Function):
        yield f"{type(value).__name__}("
        for attribute in fields(value):
            # What the names that are read from outside stand for is in the program itself.
            if attribute.name not in ("place", "globals_read", "code"):
                yield f"{attribute.name}="
                yield from _parts(getattr(value, attribute.name))
        yield ")"
    elif isinstance(value, tuple):
        yield "["
        for item in value:
            yield from _parts(item)
        yield "]"
    else:
        assert not isinstance(value, Place)
        yield f"{type(value).__name__} {value!r}"
