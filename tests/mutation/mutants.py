"""A mutant: the program of a catalogue entry with one small change."""

from __future__ import annotations

import ast
import copy
import inspect
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import zip_longest
from typing import Any

from mutation.entries import Entry, source_of


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


@dataclass(frozen=True)
class Edit:
    """A change of one object of a syntax tree: a node, or a list of statements or filters.

    ``shown`` is what is described of it, as it was and as it becomes, unless ``words`` describe it.
    """

    old: Any
    new: Any
    shown: ast.AST | None = None
    words: str = ""

    @property
    def description(self) -> str:
        if self.shown is None:
            return self.words
        return f"`{_text(self.shown)}` becomes `{_text(copy.deepcopy(self.shown, {id(self.old): self.new}))}`"

    def apply(self, tree: ast.Module) -> ast.Module:
        """A copy of the tree with the change made."""
        return ast.fix_missing_locations(copy.deepcopy(tree, {id(self.old): self.new}))


@dataclass(frozen=True)
class Site:
    """A node of a function, and what stands around it."""

    node: ast.AST
    function: ast.FunctionDef
    role: str
    parents: tuple[ast.AST, ...]

    @property
    def parent(self) -> ast.AST:
        return self.parents[-1]

    def inside(self, kind: type) -> list[Any]:
        """The parents of a kind, the nearest first."""
        return [p for p in reversed(self.parents) if isinstance(p, kind)]

    def replace(self, *new: ast.AST) -> Iterator[Edit]:
        """The node replaced, shown with the expression or statement around it."""
        yield from self.exchange(self.node, *new)

    def exchange(self, old: ast.AST, *new: ast.AST) -> Iterator[Edit]:
        """Something at or below the node replaced."""
        shown = self._shown(old)
        yield from (Edit(old, each, shown) for each in new)

    def _shown(self, old: ast.AST) -> ast.AST:
        """What a reader needs to see of a change: the simple statement, the argument or the parameter around it."""
        around = self.parents if old is self.node else (*self.parents, self.node)
        shown = old
        for parent in reversed(around):
            if isinstance(shown, ENOUGH) or not isinstance(parent, ast.expr | ast.comprehension | ENOUGH):
                break
            if len(_text(parent)) > LONGEST:
                break
            shown = parent
        return shown

    @cached_property
    def in_scope(self) -> tuple[str, ...]:
        """The names that may have a value at the node, in the order in which they get one."""
        names = [a.arg for a in self.function.args.args if not _is_noise(a) and a.arg != "H"]
        line = getattr(self.node, "lineno", 0)
        for statement in ast.walk(self.function):
            if isinstance(statement, ast.stmt) and statement.lineno < line:
                names += _targets(statement)
        for around in self.parents:
            if isinstance(around, ast.For):
                names += _stored(around.target)
            for made in getattr(around, "generators", ()):
                names += _stored(made.target)
        return tuple(dict.fromkeys(names))


# A change is shown with what stands around it, up to so many characters and to one of these.
LONGEST = 100
ENOUGH = ast.keyword | ast.arg | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return


def _is_noise(parameter: ast.arg) -> bool:
    return isinstance(parameter.annotation, ast.Name) and parameter.annotation.id == "Noise"


def _targets(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.Assign):
        return [name for target in statement.targets for name in _stored(target)]
    return []


def _stored(target: ast.AST) -> list[str]:
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]


def _text(node: ast.AST) -> str:
    text = ast.unparse(node)
    if isinstance(node, ast.If | ast.For):
        return text.partition("\n")[0]
    return " ".join(line.strip() for line in text.splitlines())


@dataclass(frozen=True)
class Operator:
    """A kind of change: from a site to the edits that may be made there."""

    name: str
    edits: Callable[[Site], Iterator[Edit]] = field(repr=False)

    @property
    def words(self) -> str:
        """What it does, in a sentence."""
        return inspect.getdoc(self.edits) or ""


# How many mutants of an entry are judged where not every one is; a loop of many branches has hundreds.
MOST = 40

_Made = tuple[Operator, Site, Edit]


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


def sites(entry: Entry) -> Iterator[Site]:
    """Every node of an entry's functions that may be changed, in source order; docstrings are left alone."""
    for function in entry.tree.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        role = {entry.mechanism_name: "mechanism", entry.alignment_name: "alignment"}.get(function.name, "helper")
        for part in (*function.decorator_list, *function.args.args, *function.body):
            if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
                continue
            yield from _walk(part, function, role, (function,))


def _walk(node: ast.AST, function: ast.FunctionDef, role: str, parents: tuple[ast.AST, ...]) -> Iterator[Site]:
    yield Site(node, function, role, parents)
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, function, role, (*parents, node))
