"""The imports of a file, read from its source without running it."""

from __future__ import annotations

import ast
from dataclasses import dataclass

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
