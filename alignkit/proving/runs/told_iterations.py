"""Which outputs name the iteration that gave them: `yield i` in a loop that counts its iterations by i.

Where every number at one place of the outputs is the iteration of that output plus a constant, the outputs tell which
iterations gave one, even if some iterations give none: `i in omega`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from alignkit.interpreting.values import is_number
from alignkit.symbolic.terms import Term

Path = tuple[int, ...]

# By the place of a number in an output: how far that number lies from the iteration. None: it is no such number.
Offsets = tuple[tuple[Path, int | None], ...]


def offsets(outputs: Iterable[Any], iteration: Term) -> Offsets:
    """How far the numbers of an iteration's outputs lie from the iteration."""
    return tuple((path, _offset(number, iteration)) for output in outputs for path, number in _numbers(output, ()))


def told(each: Iterable[Offsets]) -> dict[Path, int]:
    """The places at which every number is the iteration plus one constant, with that constant."""
    found: dict[Path, set[int | None]] = {}
    for path, offset in (pair for one in each for pair in one):
        found.setdefault(path, set()).add(offset)
    single = ((path, next(iter(ways))) for path, ways in found.items() if len(ways) == 1)
    return {path: offset for path, offset in single if offset is not None}


def keep(told_at: Mapping[Path, int], found: Offsets) -> bool:
    """Whether the numbers of some outputs are what they are taken to be."""
    return all(offset == told_at[path] for path, offset in found if path in told_at)


def _offset(number: Any, iteration: Term) -> int | None:
    difference = (Term.of(number) - iteration).constant
    return None if difference is None or difference != int(difference) else int(difference)


def _numbers(output: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(output, tuple):
        for index, part in enumerate(output):
            yield from _numbers(part, (*path, index))
    elif is_number(output):
        yield path, output
