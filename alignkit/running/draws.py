"""The draws of a mechanism: where each stands, and the name by which proofs and replays know it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from alignkit.language.program import (
    Call,
    Comprehension,
    Draw,
    Expression,
    For,
    Function,
    MechanismCall,
    Place,
    children,
    walk,
)
from alignkit.noise import Distribution


@dataclass(frozen=True)
class DrawSite:
    """One place where noise is drawn, reached by one path of calls.

    ``key`` is the variable's name where that is unambiguous, else the name with a number behind it
    (``e#2``), which no alignment can write. ``loops`` holds what the loops and comprehensions around it iterate over,
    the outermost first, each with its path of calls.
    """

    key: str
    name: str
    distribution: Distribution
    loops: tuple[tuple[tuple[int, ...], Expression], ...] = field(repr=False)
    place: Place = field(repr=False)
    path: tuple[int, ...] = field(repr=False)
    site: int = field(repr=False)
    calls: tuple[int, ...] = field(default=(), repr=False)  # how much of the path leads into each mechanism called

    @property
    def depth(self) -> int:
        """The number of loops and comprehensions around the draw."""
        return len(self.loops)


def find_draws(function: Function) -> tuple[DrawSite, ...]:
    """All draw sites of a program in source order, those of the functions it calls included."""
    sites = list(_sites(function, (), ()))
    names = [site.name for site in sites]
    return tuple(
        site if names.count(site.name) == 1 else replace(site, key=f"{site.name}#{names[: i + 1].count(site.name)}")
        for i, site in enumerate(sites)
    )


def call_keys(function: Function) -> dict[tuple[tuple[int, ...], int], str]:
    """The name of each call of a mechanism, by its path of calls and its place; numbered where there are several."""
    found = list(_calls(function, ()))
    names = [node.function.name for _, node in found]
    return {
        (path, node.site): node.function.name
        if names.count(node.function.name) == 1
        else f"{node.function.name}#{names[: i + 1].count(node.function.name)}"
        for i, (path, node) in enumerate(found)
    }


def _calls(function: Function, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], MechanismCall]]:
    for node in walk(*function.body):
        if isinstance(node, MechanismCall):
            yield path, node
        if isinstance(node, Call):
            yield from _calls(node.function, (*path, node.site))


def called_mechanisms(function: Function) -> list[MechanismCall]:
    """All calls of mechanisms in a program, those inside other calls included, in order."""
    return [node for _, node in _calls(function, ())]


def _sites(
    node: Any,
    path: tuple[int, ...],
    loops: tuple[tuple[tuple[int, ...], Expression], ...],
    within: str = "",
    calls: tuple[int, ...] = (),
) -> Iterator[DrawSite]:
    """The draw sites of a part of the program, each with its variable's name as the key.

    Behind the name of each mechanism that is called stand the names of its draws: ``other_e``.
    """
    if isinstance(node, Function):
        for statement in node.body:
            yield from _sites(statement, path, loops, within, calls)
        return
    if isinstance(node, Draw):
        name = within + node.name
        yield DrawSite(name, name, node.distribution, loops, node.place, path, node.site, calls)
    if isinstance(node, Call):
        below = (*path, node.site)
        if isinstance(node, MechanismCall):
            yield from _sites(node.function, below, loops, f"{within}{node.function.name}_", (*calls, len(below)))
        else:
            yield from _sites(node.function, below, loops, within, calls)
    inside = (*loops, (path, node.iterable)) if isinstance(node, For | Comprehension) else loops
    for child in children(node):
        yield from _sites(child, path, inside, within, calls)
