"""Which alignments may have changed since a revision: those of files that differ, or that import one that differs.

Imports are followed through the files of the repository. Where Python may find a module in several places, every file
that could be meant is followed: in doubt an alignment counts as changed.

The imports of a file, read from its source without running it.
"""

from __future__ import annotations

import ast
import importlib.machinery
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from alignkit.cli.repository import RepositoryChanges, changed_lines, old_text
from alignkit.results import Result

if TYPE_CHECKING:
    from alignkit.cli.check_worker import DescribedAlignment

# What imports or runs code whose name the source may not state.
_DYNAMIC = {
    "__import__", "import_module", "exec", "eval", "run_path", "run_module", "spec_from_file_location", "exec_module",
    "SourceFileLoader", "load_module", "walk_packages", "iter_modules", "entry_points",
}  # fmt: skip


@dataclass(frozen=True)
class WrittenImport:
    """A module that a file may import: ``level`` counts the dots of a relative import; with ``star``, all below it."""

    name: str
    level: int = 0
    star: bool = False


@dataclass(frozen=True)
class WrittenImports:
    """All imports of a file, wherever they stand; ``dynamic`` where it may import what its source does not name."""

    modules: frozenset[WrittenImport] = frozenset()
    dynamic: bool = False


def written_imports(source: bytes) -> WrittenImports:
    """Read the imports of a source; one that Python cannot read may import anything."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return WrittenImports(dynamic=True)
    modules: set[WrittenImport] = set()
    stated: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules.update(WrittenImport(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            modules.update(_imported_from(node))
        elif isinstance(node, ast.Call) and (name := _constant_import(node)):
            modules.add(WrittenImport(name))
            stated.add(node.func)
    dynamic = any(node not in stated and _dynamic(node) for node in nodes)
    return WrittenImports(frozenset(modules), dynamic)


def defines_alignments(source: bytes) -> bool:
    """Whether a source uses the name ``alignment``; one that Python cannot read does if it holds the word."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return b"alignment" in source
    return any("alignment" in _names(node) for node in nodes)


def stated_proofs(source: bytes) -> dict[str, str]:
    """The functions at the top level of a source that are alignments and to be proved, with their mechanisms' names."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    for node in (node for node in body if isinstance(node, ast.FunctionDef)):
        for call in node.decorator_list:
            if isinstance(call, ast.Call) and "alignment" in _names(call.func):
                expected = [k.value for k in call.keywords if k.arg == "expect"]
                if all(isinstance(value, ast.Constant) and value.value == "proved" for value in expected):
                    found[node.name] = next((name for x in call.args[:1] for name in _names(x)), "")
    return found


def _imported_from(node: ast.ImportFrom) -> list[WrittenImport]:
    """List the module and, since each name taken from it may be a module, those below it."""
    module = node.module or ""
    found = [WrittenImport(module, node.level, star=any(alias.name == "*" for alias in node.names))]
    names = [alias.name for alias in node.names if alias.name != "*"]
    return found + [WrittenImport(f"{module}.{name}".lstrip("."), node.level) for name in names]


def _constant_import(call: ast.Call) -> str:
    """Return the name that ``import_module("name")`` states; empty for any other call."""
    if not {"import_module", "__import__"} & set(_names(call.func)) or len(call.args) != 1 or call.keywords:
        return ""
    value = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
    return value if isinstance(value, str) and not value.startswith(".") else ""


def _dynamic(node: ast.AST) -> bool:
    if isinstance(node, ast.alias):  # under its own name, each use is seen
        return node.asname is not None and node.name in _DYNAMIC
    return isinstance(node, ast.Name | ast.Attribute) and any(name in _DYNAMIC for name in _names(node))


def _names(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        return (node.attr,)
    return (node.name,) if isinstance(node, ast.alias) else ()


_SKIPPED = {"site-packages", "node_modules", "__pycache__"}
_SUFFIXES = (".py", ".so", ".pyd")


class ChangedAlignments:
    """Tells of files whether they, or what they import from the repository, differ from the revision."""

    def __init__(self, changes: RepositoryChanges) -> None:
        self._changes = changes
        self._root = os.path.realpath(changes.root)
        self._imports: dict[str, WrittenImports] = {}

    def affects(self, files: Iterable[str]) -> bool:
        """Whether any of these files may have changed, or a file that it imports, however far down."""
        waiting = [self._inside(file) for file in files]
        seen: set[str] = set()
        while waiting:
            path = waiting.pop()
            if path is None or self._changes.differs(path):
                return True
            if path in seen:
                continue
            seen.add(path)
            waiting += self._aliases(path)
            imports = self._imports_of(path)
            if imports.dynamic and self._any_differs:
                return True
            waiting += self._packages_of(path)
            for module in imports.modules:
                waiting += self._files_of(module, path)
        return False

    def lost_files(self) -> list[str]:
        """List the files with alignments that were deleted or renamed, in words."""
        lines = []
        for path, new in sorted(self._changes.gone.items()):
            if path.endswith(".py") and defines_alignments(old_text(self._changes, path)):
                renamed = "" if new is None else f" to {_quoted(new)}"
                lines.append(f"{'renamed' if renamed else 'deleted'}: {_quoted(path)}{renamed}")
        return lines

    def lost_proofs(
        self, described: Iterable[DescribedAlignment], covered: Callable[[str, str, str], bool], *, complete: bool
    ) -> Iterator[tuple[str, str]]:
        """Yield the places of alignments that were to be proved at the revision, and no longer are, with what they are.

        ``covered`` says whether the targets ask for the alignment of a file, a name and a mechanism. Where not
        everything could be read, so that it is not ``complete``, nothing is said of files without any alignment.
        """
        now = {(self._inside(each.file), each.name): each.expected for each in described}
        files = {path for path, _ in now}
        changes = self._changes
        for path in sorted({*changes.modified, *changes.gone, *changes.unwatched}):
            new = changes.gone.get(path, path)
            for name, mechanism in stated_proofs(old_text(changes, path)).items() if path.endswith(".py") else ():
                full = os.path.realpath(os.path.join(self._root, path))
                unread = not complete and new is not None and new not in files
                expected = now.get((new, name))
                if expected != "proved" and not (expected is None and unread) and covered(full, name, mechanism):
                    yield f"{_quoted(path)}::{name}", "gone" if expected is None else f"expected to be {expected}"

    def changed_mechanism(self, result: Result) -> tuple[str, int] | None:
        """The file and line at which the mechanism of a result changed, where its alignment did not.

        None also where several changed functions have the mechanism's name.
        """
        own = self._inside(result.file)
        if own is None or self._changed_within(own, result.alignment.rpartition(".")[2]):
            return None
        found = {path: self._changed_within(path, result.mechanism) for path in self._changes.modified}
        lines = {path: changed for path, changed in found.items() if changed}
        path = own if own in lines else next(iter(lines), None)
        if path is None or (path != own and len(lines) > 1):
            return None
        return os.path.join(self._root, path), lines[path][0]

    def _changed_within(self, path: str, name: str) -> list[int]:
        """The changed lines of the functions of a name in a file, decorators included."""
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                functions = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, ast.FunctionDef)]
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            return []
        spans = [
            range(min([node.lineno, *(d.lineno for d in node.decorator_list)]), (node.end_lineno or node.lineno) + 1)
            for node in functions
            if node.name == name
        ]
        return [n for n in changed_lines(self._changes, path) if any(n in span for span in spans)] if spans else []

    def _inside(self, file: str) -> str | None:
        """Return a path relative to the repository; None where the file lies outside of it."""
        for path in (os.path.abspath(file), os.path.realpath(file)):
            relative = os.path.relpath(path, self._root)
            if relative != os.pardir and not relative.startswith(os.pardir + os.sep):
                return relative.replace(os.sep, "/")
        return None

    def _aliases(self, path: str) -> list[str | None]:
        """Where a path leads through symbolic links, if it does; git watches the link and not the file behind it."""
        full = os.path.join(self._root, path)
        return [] if os.path.realpath(full) == full else [self._inside(os.path.realpath(full))]

    def _imports_of(self, path: str) -> WrittenImports:
        if path not in self._imports:
            self._imports[path] = self._read(path)
        return self._imports[path]

    def _read(self, path: str) -> WrittenImports:
        if not path.endswith(".py"):
            return WrittenImports()
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                return written_imports(file.read())
        except OSError:
            return WrittenImports(dynamic=True)

    @cached_property
    def _known(self) -> tuple[frozenset[str], frozenset[str]]:
        """The files that a module may be: those that git watches or did watch, and those that it ignores."""
        changes = self._changes
        watched = {*changes.tracked, *changes.gone, *(changes.others - changes.ignored)}
        return frozenset(filter(_is_module, watched)), frozenset(filter(_is_module, changes.ignored))

    @cached_property
    def _by_last_name(self) -> tuple[dict[str, list[tuple[str, ...]]], ...]:
        """For the watched and the ignored files: from the last part of a module's name to its parts and its path."""
        tables = []
        for paths in self._known:
            table: dict[str, list[tuple[str, ...]]] = defaultdict(list)
            for path in paths:
                parts = _module_parts(path)
                if parts:
                    table[parts[-1]].append((*parts, path))
            tables.append(dict(table))
        return tuple(tables)

    @cached_property
    def _any_differs(self) -> bool:
        return any(map(self._changes.differs, self._known[0]))

    @cached_property
    def _folders(self) -> frozenset[str]:
        """The names of all folders and modules."""
        return frozenset(part for paths in self._known for path in paths for part in _module_parts(path))

    def _packages_of(self, path: str) -> Iterator[str]:
        for folder in PurePosixPath(path).parents:
            package = (folder / "__init__.py").as_posix()
            if any(package in paths for paths in self._known):
                yield package

    def _files_of(self, module: WrittenImport, importer: str) -> Iterator[str]:
        """Yield every file of the repository that an import in a file may mean."""
        parts = tuple(filter(None, module.name.split(".")))
        start: tuple[str, ...] = ()
        if module.level:
            folder = PurePosixPath(importer).parent.parts
            start = folder[: max(0, len(folder) - module.level + 1)]
        found = self._named((*start, *parts), anywhere=not module.level)
        if not found and module.level:
            found = self._named(parts, anywhere=True)
        first = 1
        while not found and not module.level and first < len(parts) and self._may_be_here(parts[0]):
            found = self._named(parts[first:], anywhere=True)
            first += 1
        yield from found
        for size in range(1, 0 if module.level else len(parts)):  # the packages on the way are imported too
            yield from self._named(parts[:size], anywhere=True)
        if module.star:
            for path in found:
                if PurePosixPath(path).name == "__init__.py":
                    folder_path = PurePosixPath(path).parent
                    yield from (p for paths in self._known for p in paths if folder_path in PurePosixPath(p).parents)

    def _named(self, parts: tuple[str, ...], *, anywhere: bool) -> list[str]:
        """List the files of a module's name, below the top or ``anywhere``; ignored ones only if there is no other."""
        for table in self._by_last_name:
            size = len(parts)
            entries = table.get(parts[-1], []) if parts else []
            names = ((entry[:-1], entry[-1]) for entry in entries)
            found = [path for name, path in names if name[-size:] == parts and (anywhere or len(name) == size)]
            if found:
                return found
        return []

    def _may_be_here(self, top: str) -> bool:
        """Whether a package of this name may have its files in the repository."""
        if top in self._folders:
            return True
        if top in sys.stdlib_module_names:
            return False
        spec = importlib.machinery.PathFinder.find_spec(top)
        if spec is None:
            return True
        places = [spec.origin, *(spec.submodule_search_locations or ())]
        return any(place and self._installed_here(place) for place in places)

    def _installed_here(self, place: str) -> bool:
        path = self._inside(place)
        return path is not None and not _SKIPPED & set(PurePosixPath(path).parts)


def _is_module(path: str) -> bool:
    return path.endswith(_SUFFIXES) and not _SKIPPED & set(path.split("/"))


def _module_parts(path: str) -> tuple[str, ...]:
    """Return the folders and the name of a module's file; a package is named like its folder."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    return tuple(folders) if stem == "__init__" else (*folders, stem)


def _quoted(path: str) -> str:
    return path if path.isprintable() else ascii(path)
