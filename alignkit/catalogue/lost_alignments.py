"""Alignments that were made while a file was imported, and that nothing would check."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from types import ModuleType

from alignkit.errors import TargetError
from alignkit.language.source_code import syntax_tree
from alignkit.running.module_members import MadeFrom, not_held


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
