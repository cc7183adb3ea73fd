"""Alignments that a file defines and then loses: its text gives their name again, so nothing would check them."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from types import ModuleType

from alignkit.catalogue.modules import same_file
from alignkit.errors import TargetError
from alignkit.language.source_code import syntax_tree
from alignkit.running.alignment_decorator import Alignment, alignment


def refuse_lost_alignments(module: ModuleType) -> None:
    """Raise TargetError where a module's file binds the name of an alignment again further down."""
    file = str(vars(module).get("__file__") or "")
    kept = {
        (value.name, value.line)
        for value in vars(module).values()
        if isinstance(value, Alignment) and same_file(value.file, file)
    }
    body = _top_level(file)
    for number, node in enumerate(body):
        if not isinstance(node, ast.FunctionDef) or not _is_alignment(node, module):
            continue
        again = [later.lineno for later in body[number + 1 :] if node.name in _bound(later)]
        if again and (node.name, node.lineno) not in kept:
            raise TargetError(
                f"{file}:{node.lineno}: the alignment {node.name} would not be checked, because line {again[0]} uses "
                "its name for something else; give each alignment a name of its own"
            )


def _top_level(file: str) -> list[ast.stmt]:
    try:
        with tokenize.open(file) as text:
            return syntax_tree(text.read(), file).body
    except (OSError, SyntaxError, ValueError):
        return []  # the module was made from something else than this text


def _is_alignment(node: ast.FunctionDef, module: ModuleType) -> bool:
    """Whether the outermost decorator of a function is ``@alignment(…)``, by whatever name."""
    outermost = node.decorator_list[0] if node.decorator_list else None
    return isinstance(outermost, ast.Call) and _stands_for(outermost.func, module) is alignment


def _stands_for(node: ast.expr, module: ModuleType) -> object:
    """What a name, or an attribute of a module, stands for; None where the expression is something else."""
    if isinstance(node, ast.Name):
        return vars(module).get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _stands_for(node.value, module)
        return vars(owner).get(node.attr) if isinstance(owner, ModuleType) else None
    return None


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
