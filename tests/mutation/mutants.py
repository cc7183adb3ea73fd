"""A mutant: the program of a catalogue entry with one small change."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest

from mutation.entries import Entry, source_of

from alignkit.explorer.program_changes import Edit, EditSite, Operator, sites_of


@dataclass(frozen=True)
class Mutant:
    """One change to the program of an entry, and the source that it gives."""

    entry: str
    operator: str
    description: str
    file: str
    line: int
    source: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.entry}, {self.file}:{self.line}, {self.operator}: {self.description}"


# How many mutants of an entry are judged where not every one is; a loop of many branches has hundreds.
MOST = 40

_Made = tuple[Operator, EditSite, Edit]


@cache
def chosen(entry: Entry, operators: tuple[Operator, ...]) -> tuple[Mutant, ...]:
    """Some mutants of an entry, spread over the operators; always the same."""
    return tuple(mutants(entry, operators, MOST))


def mutants(entry: Entry, operators: Iterable[Operator], most: int | None = None) -> list[Mutant]:
    """The mutants of an entry, in the order of the operators and then of the source; each source once.

    Where ``most`` limits their number, the operators take turns, each in an order of chance that is always the same.
    """
    places = list(sites(entry))
    edits = [(o, site, edit) for o in operators for site in places for edit in o.edits(site)]
    order = {id(edit): number for number, (_, _, edit) in enumerate(edits)}
    found: dict[str, tuple[int, Mutant]] = {}
    whole = entry.source
    for operator, site, edit in edits if most is None else _in_turn(edits, entry.name):
        source = source_of(edit.apply(entry.tree))
        if source == whole or source in found:
            continue
        line = getattr(site.node, "lineno", site.function.lineno)
        made = Mutant(entry.name, operator.name, edit.description, entry.files[site.function.name], line, source)
        found[source] = order[id(edit)], made
        if len(found) == most:
            break
    return [made for _, made in sorted(found.values(), key=lambda each: each[0])]


def _in_turn(edits: list[_Made], name: str) -> Iterator[_Made]:
    waiting: dict[str, list[_Made]] = {}
    for each in edits:
        waiting.setdefault(each[0].name, []).append(each)
    queues = [random.Random(f"{name} {operator}").sample(own, len(own)) for operator, own in waiting.items()]
    for turn in zip_longest(*queues):
        yield from (each for each in turn if each is not None)


def sites(entry: Entry) -> Iterator[EditSite]:
    """Every node of an entry's functions that may be changed, in source order."""
    for function in entry.tree.body:
        if isinstance(function, ast.FunctionDef):
            role = {entry.mechanism_name: "mechanism", entry.alignment_name: "alignment"}.get(function.name, "helper")
            yield from sites_of(function, role)
