"""From the targets of a command to mechanisms and alignments.

A target is a file, a folder, ``file.py::name``, the name of a mechanism or of a proof module of the
catalogue, or a dotted name that Python can import.

Alignments that were made while a file was imported, and that nothing would check.
"""

from __future__ import annotations

import ast
import contextlib
import difflib
import importlib
import os
import pkgutil
import stat
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from alignkit.arguments import items, path, shown
from alignkit.catalogue.failures import import_failures
from alignkit.catalogue.modules import CATALOGUE, loaded, module_of, origin_of, same_file
from alignkit.errors import AlignkitError, TargetError
from alignkit.language.source_code import syntax_tree
from alignkit.public_names import public
from alignkit.running.alignment_decorator import Alignment
from alignkit.running.mechanism_decorator import Mechanism
from alignkit.running.module_members import MadeFrom, Refused, members, not_held


def refuse_lost_alignments(module: ModuleType) -> None:
    """Raise TargetError where no name of a module leads to an alignment that was made while the module was imported."""
    for origin in not_held(vars(module)):
        raise TargetError(
            f"{origin.file}:{origin.line}: the alignment {origin.name} would not be checked, "
            f"because {_reason(origin)}; give each alignment a name of its own"
        )


def _reason(origin: MadeFrom) -> str:
    for node in _top_level(origin.file):
        if node.lineno > origin.line and origin.name in _bound(node):
            return f"line {node.lineno} uses its name for something else"
    return "no name at the top level leads to it, nor any class, list, tuple or dict"


def _top_level(file: str) -> list[ast.stmt]:
    try:
        with tokenize.open(file) as text:
            return syntax_tree(text.read(), file).body
    except (OSError, SyntaxError, ValueError):
        return []  # the module was made from something else than this text


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement binds or deletes."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            yield part.id
        elif isinstance(part, ast.alias):
            yield part.asname or part.name.partition(".")[0]
        elif isinstance(part, ast.FunctionDef):
            yield part.name


Member = Alignment | Mechanism
"""What a target may name in a module."""

_Kind = TypeVar("_Kind", Alignment, Mechanism)

_SKIPPED = {"__pycache__", "node_modules", "site-packages"}


@dataclass(frozen=True)
class Problem:
    """A target that could not be used, and why."""

    target: str
    error: AlignkitError


@dataclass(frozen=True)
class CollectedTargets:
    """The alignments of some targets, each once, and what could not be used."""

    alignments: tuple[Alignment, ...]
    problems: tuple[Problem, ...]


@public
def load(target: str) -> Member:
    """One mechanism or alignment: ``path/file.py::name``, ``module.name``, or a mechanism of the catalogue.

    The object is the one that importing the file by name gives. Raises TargetError where there is no such
    object, or the file cannot be imported; LanguageError where a program in it lies outside the language.

    >>> load("sparse_vector_with_gap")
    <mechanism sparse_vector_with_gap>
    >>> load("alignkit.proofs.sparse_vector.gap_phi")
    <alignment gap_phi of sparse_vector_with_gap>
    """
    _check_target(target)
    if "::" in target:
        return _member_of_file(target)[1]
    if target.endswith(".py") or os.sep in target:
        names = ", ".join(f"{target}::{name}" for name in _members(_module(target)))
        raise TargetError(
            f"{target} is a file; name something in it: {names or 'it contains no mechanism and no alignment'}"
        )
    catalogue = {m.name: m for m in mechanisms()}
    if target in catalogue:
        return catalogue[target]
    imported = _member_by_dotted_name(target)
    if imported is None:
        raise TargetError(f"{target} is not in the catalogue{_close(target, catalogue)}")
    return imported[1]


def find_alignments(targets: Sequence[str] = ()) -> list[Alignment]:
    """The alignments of some targets in order, each once; of the whole catalogue where no target is given.

    A file gives the alignments that it defines (not those it imports), a folder those of its Python files,
    ``file.py::name`` one alignment, or all alignments in that file of one mechanism; a catalogue name gives
    those of the mechanism, or else of the proof module, of that name. Raises TargetError for the first target
    that cannot be used; `collect` goes on instead.

    >>> [a.name for a in find_alignments(["noisy_max"])]
    ['phi', 'monotone_phi']
    """
    collected = collect(targets)
    if collected.problems:
        raise collected.problems[0].error
    return list(collected.alignments)


def collect(targets: Sequence[str] = ()) -> CollectedTargets:
    """As `find_alignments`, but a target that cannot be used is listed and does not stop the others."""
    alignments: dict[int, Alignment] = {}
    problems: list[Problem] = []
    targets = items(targets, "targets", "a list of strings, such as ['proofs.py::phi']")
    if not targets:
        alignments.update((id(a), a) for a in _catalogue(problems))
    for target in targets:
        try:
            alignments.update((id(a), a) for a in _alignments_of(target, problems))
        except AlignkitError as error:
            problems.append(Problem(target, error))
    return CollectedTargets(tuple(alignments.values()), tuple(problems))


def mechanisms() -> list[Mechanism]:
    """The mechanisms of the catalogue, module by module.

    >>> "sparse_vector" in [m.name for m in mechanisms()]
    True
    """
    return [m for module in _package(CATALOGUE[0]) for m in _defined(module, Mechanism)]


def alignments() -> list[Alignment]:
    """The alignments of the catalogue, module by module."""
    return [a for module in _package(CATALOGUE[1]) for a in _defined(module, Alignment)]


def proof_modules() -> list[str]:
    """The names of the catalogue's proof modules, which are targets too.

    >>> "hybrids" in proof_modules()
    True
    """
    return _names(CATALOGUE[1])


def alignments_in(file: str) -> list[Alignment]:
    """The alignments that a file defines, in source order."""
    return _defined(_module(path(file, "the file", "a path, such as 'proofs.py'")), Alignment)


def module_with_alignments(file: str) -> tuple[ModuleType, dict[str, Alignment]]:
    """The module of a file and the alignments that it defines, in source order, by their names in ``file.py::name``.

    A file without alignments is no error. Raises TargetError where the file cannot be imported or loses an alignment.
    """
    module = _module(file)
    names = {id(value): name for name, value in reversed(list(_members(module).items()))}
    return module, {names[id(alignment)]: alignment for alignment in _proofs(module)}


def mechanisms_in(file: str) -> list[Mechanism]:
    """The mechanisms that a file defines, in source order."""
    module = _module(path(file, "the file", "a path, such as 'mine.py'"))
    _raise_refusals(module)
    return _defined(module, Mechanism)


def whereabouts(alignment: Alignment) -> tuple[str, int]:
    """Where another process finds an alignment: a file, and its number in `alignments_in` that file."""
    for module in _possible_homes(alignment):
        file = vars(module).get("__file__")
        if file is not None and any(member is alignment for _, member in members(vars(module))):
            for number, defined in enumerate(_defined(module, Alignment)):
                if defined is alignment:
                    return str(file), number
    raise TargetError(f"{alignment.name} has no name in {alignment.file}; give it one at the top level")


def _possible_homes(alignment: Alignment) -> Iterator[ModuleType]:
    """The modules that may hold an alignment, the likeliest first: to look for the module of a file takes long."""
    named = sys.modules.get(alignment.python.__module__)
    if isinstance(named, ModuleType) and vars(named).get("__file__") == alignment.file:
        yield named
    first = loaded(alignment.file)
    if first is not None:
        yield first
    yield from (module for module in list(sys.modules.values()) if isinstance(module, ModuleType))


def _check_target(target: object) -> None:
    if not isinstance(target, str):
        raise TargetError(f"a target must be a string, such as 'proofs.py::phi', not {shown(target)}")
    if not target:
        raise TargetError("a target is empty; name a file, a folder, file.py::name or a mechanism")


def _alignments_of(target: str, problems: list[Problem]) -> list[Alignment]:
    _check_target(target)
    if "::" in target:
        return _alignments_for(*_member_of_file(target), target, f" of {target.rpartition('::')[2]}")
    if os.path.isdir(target):
        return _at_least_one(list(_in_folder(Path(target), problems)), target, unless=bool(problems))
    if target.endswith(".py") or os.sep in target or os.path.isfile(target):
        return _at_least_one(_proofs(_module(target)), target)
    return _named(target, problems)


def _named(target: str, problems: list[Problem]) -> list[Alignment]:
    """The alignments of a catalogue name, or of a dotted name."""
    catalogue = {m.name: m for m in mechanisms()}
    proofs = proof_modules()
    if target in catalogue:
        alignments = [a for a in _catalogue(problems) if a.mechanism is catalogue[target]]
        if alignments or target not in proofs:
            return _at_least_one(alignments, target)
    module = _by_import(f"{CATALOGUE[1]}.{target}") if target in proofs else _by_dotted_name(target)
    if module is not None:
        return _at_least_one(_proofs(module), target)
    imported = _member_by_dotted_name(target)
    if imported is None:
        raise TargetError(
            f"{target} is not a file or folder here, nor a name in the catalogue{_close(target, [*catalogue, *proofs])}"
        )
    return _alignments_for(*imported, target)


def _alignments_for(module: ModuleType, member: Member, target: str, of: str = "") -> list[Alignment]:
    """An alignment itself; of a mechanism, the alignments that the module defines for it."""
    if isinstance(member, Alignment):
        return [member]
    return _at_least_one([a for a in _proofs(module, member) if a.mechanism is member], target, of)


def _catalogue(problems: list[Problem]) -> Iterator[Alignment]:
    for name in proof_modules():
        try:
            yield from _proofs(_by_import(f"{CATALOGUE[1]}.{name}"))
        except AlignkitError as error:
            problems.append(Problem(name, error))


def _in_folder(folder: Path, problems: list[Problem]) -> Iterator[Alignment]:
    for file in python_files(folder, problems):
        try:
            yield from _proofs(_module(file))
        except AlignkitError as error:
            problems.append(Problem(file, error))


def python_files(folder: str | os.PathLike[str], problems: list[Problem]) -> Iterator[str]:
    """The Python files of a folder that is a target, in order; folders that cannot be read are put to the problems."""

    def unreadable(problem: OSError) -> None:
        problems.append(Problem(str(problem.filename), TargetError(_unreadable(problem))))

    for root, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _SKIPPED
            and not os.path.isfile(os.path.join(root, name, "pyvenv.cfg"))
        )
        for name in sorted(files):
            if name.endswith(".py") and not name.startswith("."):
                yield os.path.normpath(os.path.join(root, name))


def _proofs(module: ModuleType, of: Mechanism | None = None) -> list[Alignment]:
    """The alignments that a module defines; an error where one is lost, or one ``of`` the mechanism was refused."""
    refuse_lost_alignments(module)
    _raise_refusals(module, of)
    return _defined(module, Alignment)


def _raise_refusals(module: ModuleType, of: Mechanism | None = None) -> None:
    for value in vars(module).values():
        if isinstance(value, Refused) and (of is None or value.of is of):
            raise value.error


def _at_least_one(alignments: list[Alignment], target: str, of: str = "", *, unless: bool = False) -> list[Alignment]:
    """The alignments of a target; TargetError where there are none, unless another problem explains that."""
    if not alignments and not unless:
        raise TargetError(
            f"{target} has no alignment{of} to check; write one with @alignment(mechanism, epsilon=…), "
            "or start from `alignkit new NAME`"
        )
    return alignments


def _module(place: str) -> ModuleType:
    """The module of a file, of a proof module of the catalogue, or of a dotted name."""
    if not place:
        raise TargetError("a target names nothing before ::; write file.py::name")
    path = Path(place)
    kind = _kind(place)
    if kind == stat.S_IFREG:
        with import_failures(path):
            return module_of(path)
    if kind == stat.S_IFDIR:
        raise TargetError(f"{place} is a folder; name a file in it, such as {path / 'proofs.py'}::phi")
    if kind is not None:
        raise TargetError(f"{place} is not a file but a device, a pipe or a socket; name a Python file")
    if not place.endswith(".py") and os.sep not in place:
        for package in reversed(CATALOGUE):
            if place in _names(package):
                return _by_import(f"{package}.{place}")
        module = _by_dotted_name(place)
        if module is not None:
            return module
    raise TargetError(f"{place} does not exist{_close_file(path)}")


def _kind(place: str) -> int | None:
    """What stands at a path, as a file type of `stat`; None where nothing does."""
    try:
        return stat.S_IFMT(os.stat(place).st_mode)
    except PermissionError as problem:
        raise TargetError(_unreadable(problem)) from None
    except (OSError, ValueError):  # ValueError: a NUL character in the path
        return None


def _unreadable(problem: OSError) -> str:
    return f"{problem.filename} cannot be read: {(problem.strerror or str(problem)).lower()}"


def _by_import(name: str) -> ModuleType:
    with import_failures(Path(origin_of(name) or name)):
        return importlib.import_module(name)


def _by_dotted_name(name: str) -> ModuleType | None:
    """The module that Python imports by a name; None where there is none."""
    if not all(part.isidentifier() for part in name.split(".")):
        return None
    with import_failures(Path(name)):
        origin = origin_of(name)
    return None if origin is None else _by_import(name)


def _names(package: str) -> list[str]:
    return sorted(info.name for info in pkgutil.iter_modules(importlib.import_module(package).__path__))


def _package(package: str) -> list[ModuleType]:
    return [_by_import(f"{package}.{name}") for name in _names(package)]


def _members(module: ModuleType) -> dict[str, Member]:
    named: dict[str, Member] = {}
    for name, member in members(vars(module)):
        if isinstance(member, Alignment | Mechanism):
            named.setdefault(name, member)
    return named


def _defined(module: ModuleType, kind: type[_Kind]) -> list[_Kind]:
    """What a module defines itself, in source order; an object with two names is listed once."""
    defined = {id(v): v for _, v in members(vars(module)) if isinstance(v, kind) and _is_home(module, v)}
    return sorted(defined.values(), key=lambda member: member.line)


def _is_home(module: ModuleType, member: Member) -> bool:
    """Whether a member belongs to a module: made by code in its file, or by a function that it called."""
    if same_file(member.file, vars(module).get("__file__") or ""):
        return True
    home = loaded(member.file)
    return home is not None and home is not module and all(held is not member for _, held in members(vars(home)))


def _member_of_file(target: str) -> tuple[ModuleType, Member]:
    """The module and the member that ``file.py::name`` stands for."""
    place, _, name = target.rpartition("::")
    module = _module(place)
    return module, _member(module, name, place, "::")


def _member_by_dotted_name(target: str) -> tuple[ModuleType, Member] | None:
    """The module and the member that ``module.name`` stands for; None where Python can import no such module."""
    parts = target.split(".")
    for number in range(len(parts) - 1, 0, -1):
        place = ".".join(parts[:number])
        module = _by_dotted_name(place)
        if module is not None:
            return module, _member(module, ".".join(parts[number:]), place, ".")
    return None


def _member(module: ModuleType, name: str, place: str, separator: str) -> Member:
    members = _members(module)
    if name in members:
        if isinstance(members[name], Alignment):
            refuse_lost_alignments(module)
        return members[name]
    refused = vars(module).get(name)
    if isinstance(refused, Refused):
        raise refused.error
    if not name:
        raise TargetError(f"{place}{separator} names nothing; the file has {', '.join(members) or 'no mechanisms'}")
    what = "is neither a mechanism nor an alignment" if hasattr(module, name) else "does not exist"
    hint = _close(name, members) or f"; the file has {', '.join(members) or 'no mechanisms or alignments'}"
    raise TargetError(f"{place}{separator}{name} {what}{hint}")


def _close(name: str, names: Iterable[str], shown: Callable[[str], str] = str) -> str:
    """A question that names the closest spellings, to be put behind a message; empty where there are none."""
    close = difflib.get_close_matches(name, list(dict.fromkeys(names)), n=3)
    return f"; did you mean {' or '.join(map(shown, close))}?" if close else ""


def _close_file(path: Path) -> str:
    if not os.path.isdir(path.parent):
        return f": there is no folder {path.parent}"
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = os.listdir(path.parent)
    return _close(path.name, names, lambda name: str(path.with_name(name)))
