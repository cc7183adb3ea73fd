"""The draws of a mechanism: where each stands, and the name by which proofs and replays know it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alignkit.language.program import Call, Comprehension, Draw, For, Function, Place, children
from alignkit.noise import Distribution


@dataclass(frozen=True)
class DrawSite:
    """One place where noise is drawn, reached by one path of calls.

    ``key`` is the variable's name where that is unambiguous, else the name with a number behind it
    (``e#2``), which no alignment can write. ``depth`` counts the loops and comprehensions around it.
    """

    key: str
    name: str
    distribution: Distribution
    depth: int
    place: Place = field(repr=False)
    path: tuple[int, ...] = field(repr=False)
    site: int = field(repr=False)


def find_draws(function: Function) -> tuple[DrawSite, ...]:
    """All draw sites of a program in source order, those of the functions it calls included."""
    found = list(_sites(function, (), 0))
    names = [draw.name for draw, _, _ in found]
    seen: dict[str, int] = {}
    result = []
    for draw, path, depth in found:
        seen[draw.name] = seen.get(draw.name, 0) + 1
        key = draw.name if names.count(draw.name) == 1 else f"{draw.name}#{seen[draw.name]}"
        result.append(DrawSite(key, draw.name, draw.distribution, depth, draw.place, path, draw.site))
    return tuple(result)


def keys_by_place(draws: tuple[DrawSite, ...]) -> Mapping[tuple[tuple[int, ...], int], str]:
    """From call path and place in the source to the key."""
    return {(draw.path, draw.site): draw.key for draw in draws}


def _sites(node: Any, path: tuple[int, ...], depth: int) -> Iterator[tuple[Draw, tuple[int, ...], int]]:
    if isinstance(node, Function):
        for statement in node.body:
            yield from _sites(statement, path, depth)
        return
    if isinstance(node, Draw):
        yield node, path, depth
    if isinstance(node, Call):
        yield from _sites(node.function, (*path, node.site), depth)
    inner = depth + isinstance(node, For | Comprehension)
    for child in children(node):
        yield from _sites(child, path, inner)
