"""The proved alignments of the catalogue, each with all the source it needs as the syntax tree of one module."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

from alignkit import Alignment, Mechanism, catalogue
from alignkit.catalogue.modules import CATALOGUE


@dataclass(frozen=True, eq=False)
class Entry:
    """An alignment that is expected to be proved, and its program.

    ``tree`` holds the mechanism, the alignment and what they use; its nodes keep the lines of the catalogue's files.
    ``files`` says in which file each of its functions stands.
    """

    alignment: Alignment = field(repr=False)
    name: str
    tree: ast.Module = field(repr=False)
    files: dict[str, str] = field(repr=False)

    @property
    def mechanism_name(self) -> str:
        return self.alignment.mechanism.name

    @property
    def alignment_name(self) -> str:
        return self.alignment.name

    @property
    def source(self) -> str:
        return source_of(self.tree)


def source_of(tree: ast.Module) -> str:
    """The text of a program; everything that is mutated is printed this way, so that texts can be compared."""
    return ast.unparse(tree) + "\n"


@cache
def entries() -> tuple[Entry, ...]:
    """Every entry of the catalogue, module by module in the order of the source.

    Claims on adaptive queries are left out: each stands beside one on fixed queries, of the same mechanism. So is
    released code, whose mechanisms are variants of others in the catalogue, right and wrong ones.
    """
    found = tuple(entry_of(a) for a in catalogue.alignments() if is_mutated(a))
    names = [e.name for e in found]
    assert len(set(names)) == len(names), f"two entries have one name: {names}"
    return found


def is_mutated(alignment: Alignment) -> bool:
    """Whether an alignment of the catalogue is one whose mutants are judged."""
    elsewhere = alignment.delta is not None or Path(alignment.file).stem.startswith("in_the_wild")
    left_out = alignment.adaptive or elsewhere
    return alignment.expect == "proved" and not left_out


@cache
def entry_named(name: str) -> Entry:
    """The entry of a name such as `sparse_vector/phi`."""
    (found,) = [e for e in entries() if e.name == name]
    return found


def entry_of(alignment: Alignment) -> Entry:
    """The entry of one alignment."""
    program = _Program()
    program.add(_module(alignment), alignment.name)
    return Entry(alignment, f"{alignment.mechanism.name}/{alignment.name}", program.tree(), program.files)


def _module(each: Alignment | Mechanism) -> ModuleType:
    return importlib.import_module(each.python.__module__)


class _Program:
    """The definitions that a function uses, those it uses first, and the imports that bring in the rest."""

    def __init__(self) -> None:
        self.homes: dict[str, ModuleType] = {}
        self.imports: dict[str, ast.stmt] = {}
        self.definitions: list[ast.stmt] = []
        self.files: dict[str, str] = {}

    def tree(self) -> ast.Module:
        return ast.Module([*self.imports.values(), *self.definitions], [])

    def add(self, module: ModuleType, name: str, known_as: str | None = None) -> None:
        """Add what a name of a module stands for, and all that this uses; a Python builtin adds nothing.

        What is imported under another name is defined under that name.
        """
        own = known_as or name
        statement = _bindings(module).get(name)
        if statement is None:
            return
        if isinstance(statement, ast.ImportFrom):
            (alias,) = [a for a in statement.names if (a.asname or a.name) == name]
            if statement.module is not None and statement.module.startswith(CATALOGUE):
                self.add(importlib.import_module(statement.module), alias.name, name)
            else:
                self.imports[name] = ast.ImportFrom(statement.module, [alias], statement.level)
            return
        if isinstance(statement, ast.Import):
            self.imports[name] = statement
            return
        if own in self.homes:
            if self.homes[own] is not module:
                raise NotImplementedError(f"{own} is defined in {module.__name__} and {self.homes[own].__name__}")
            return
        self.homes[own] = module
        statement = _without_aliases(statement, module)
        if own != name:
            assert isinstance(statement, ast.FunctionDef)
            statement.name = own
        for used in _names(statement):
            self.add(module, used)
        self.definitions.append(statement)
        path = Path(inspect.getfile(module))
        self.files[own] = f"{path.parent.name}/{path.name}"


def _without_aliases(statement: ast.stmt, module: ModuleType) -> ast.stmt:
    """The definition with each parameter's type written out, so that it may be mutated and is seen to be private."""
    if not isinstance(statement, ast.FunctionDef):
        return statement
    written = copy.deepcopy(statement)
    for parameter in written.args.args:
        kind = parameter.annotation
        alias = _bindings(module).get(kind.id) if isinstance(kind, ast.Name) else None
        if isinstance(alias, ast.Assign):
            parameter.annotation = copy.deepcopy(alias.value)
    return written


@cache
def _bindings(module: ModuleType) -> dict[str, ast.stmt]:
    """The top-level statement that gives each name its value."""
    found: dict[str, ast.stmt] = {}
    for statement in ast.parse(inspect.getsource(module)).body:
        for name in _bound(statement):
            found[name] = statement
    return found


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (a.asname or a.name.partition(".")[0] for a in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))


def _names(statement: ast.stmt) -> list[str]:
    """The names that a definition reads and does not bind itself."""
    read = [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    own = set(_locals(statement))
    return [name for name in dict.fromkeys(read) if name not in own]


def _locals(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef):
        yield from (a.arg for a in statement.args.args)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
