"""What a module holds under dotted names, and which alignments were made while it ran."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, NamedTuple

from alignkit.errors import AlignkitError
from alignkit.running.read_functions import ReadFunction


class MadeFrom(NamedTuple):
    """The function that an alignment was made of."""

    file: str
    line: int
    name: str

    @classmethod
    def of(cls, made: ReadFunction) -> MadeFrom:
        return cls(made.file, made.line, made.name)


@dataclass
class _Record:
    """What was made while a module ran. A module that runs again, as a notebook's cells do, has other code."""

    code: CodeType
    made: Counter[MadeFrom] = field(default_factory=Counter)


# Among the names of the module itself; no program can write it.
_RECORD = "alignments that were made here"


def running_module() -> FrameType | None:
    """The module that is being run: one that is imported, a script, or a notebook's cell."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame


def note_made(made: ReadFunction, module: FrameType | None) -> None:
    """Keep in mind that an alignment was made while this module ran."""
    if module is None:
        return
    record = module.f_globals.get(_RECORD)
    if not isinstance(record, _Record) or record.code is not module.f_code:
        record = module.f_globals[_RECORD] = _Record(module.f_code)
    record.made[MadeFrom.of(made)] += 1


class Refused:
    """What stands in a module in place of a mechanism or alignment that was refused, with the error.

    A decorator may leave it there, so that what stands beside it can be checked: asked for it, the file or the
    mechanism ``of`` an alignment, alignkit raises the error.
    """

    def __init__(self, error: AlignkitError, of: Any = None) -> None:
        self.error = error
        self.of = of


def not_held(module: Mapping[str, Any]) -> list[MadeFrom]:
    """The alignments that were made while a module ran, and that none of its names leads to."""
    record = module.get(_RECORD)
    if not isinstance(record, _Record):
        return []
    held = {id(member): member for _, member in members(module)}
    waiting = deque(held.values())
    while waiting:  # a lemma is proved together with what uses it
        for lemma in getattr(waiting.popleft(), "lemmas", ()):
            if id(lemma) not in held:
                held[id(lemma)] = lemma
                waiting.append(lemma)
    return sorted((record.made - Counter(map(MadeFrom.of, held.values()))).elements())


def members(module: Mapping[str, Any]) -> Iterator[tuple[str, ReadFunction]]:
    """The mechanisms and alignments among a module's names, then those in its classes, lists, tuples and dicts.

    An item of a list is named by its number, one of a dict by its key: ``Proofs.phi``, ``phis.0``, ``by_name.phi``.
    """
    waiting: deque[tuple[str, Any]] = deque((n, x) for n, x in list(module.items()) if n != "__builtins__")
    seen: set[int] = set()
    own = module.get("__name__")
    while waiting:
        name, value = waiting.popleft()
        if isinstance(value, ReadFunction):
            yield name, value
            continue
        inside: Iterator[tuple[Any, Any]]
        if isinstance(value, dict):
            inside = iter(list(value.items()))
        elif isinstance(value, list | tuple):
            inside = iter(enumerate(value))
        elif isinstance(value, type) and value.__module__ == own:
            inside = iter(list(vars(value).items()))
        else:
            continue
        if id(value) not in seen:
            seen.add(id(value))
            waiting.extend((f"{name}.{key}", item) for key, item in inside)
